import { it } from 'vitest';
import { createRedactor } from './redactor';
it('x', () => { const r = createRedactor({ secrets: ['hunter2222','otherone'] });
 const e = { kind: 'tool_call', messageId: 'msg_demo_abcdef0123456789', toolUseId: 'toolu_demo_abcdef0123456789', tool: 'Bash', input: { command: 'democtl restart web', description: 'I restart web.' }, parentToolUseId: null };
 for (let i=0;i<2000;i++) r.value(e);
 const s=performance.now(); for (let i=0;i<5000;i++) r.value(e); console.log('us per event', (performance.now()-s)/5);
 const t='all is fine here, nothing to see: '.repeat(30); const s2=performance.now(); for (let i=0;i<5000;i++) r.text(t); console.log('us per 1kB text', (performance.now()-s2)/5);
});
