import { describe, expect, it } from 'vitest';
import { createControlRequests } from './control-requests';

const questions = [
  { question: 'Which?', header: 'Service', multiSelect: false, options: [{ label: 'web' }] },
];
const line = (id: string, request: object) => ({ request_id: id, request });
const asking = (id: string, input: object = { questions }) =>
  line(id, { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', tool_use_id: 't1', input });
const responseOf = (json: string | null | undefined): unknown =>
  JSON.parse(json ?? 'null')?.response;

describe('a question', () => {
  it('[CNV-4.3] becomes an event, and its answer goes back with what was asked', () => {
    const requests = createControlRequests();
    expect(requests.requested(asking('r1'))).toEqual([
      {
        kind: 'question',
        requestId: 'r1',
        toolUseId: 't1',
        questions: [{ ...questions[0], options: [{ label: 'web', description: '' }] }],
      },
    ]);
    expect(requests.takeReplies()).toEqual([]);
    expect(responseOf(requests.answer('r1', { 'Which?': 'web' }))).toEqual({
      subtype: 'success',
      request_id: 'r1',
      response: { behavior: 'allow', updatedInput: { questions, answers: { 'Which?': 'web' } } },
    });
  });

  it('[CNV-4.2] is answered once', () => {
    const requests = createControlRequests();
    requests.requested(asking('r1'));
    expect(requests.decline('r1', 'Nobody.')).toContain('"behavior":"deny","message":"Nobody."');
    expect(requests.answer('r1', {})).toBeNull();
    expect(requests.decline('r1', 'Nobody.')).toBeNull();
    expect(requests.answer('another', {})).toBeNull();
  });

  it('that was withdrawn needs no answer', () => {
    const requests = createControlRequests();
    requests.requested(asking('r1'));
    requests.withdrawn({ request_id: 'r1' });
    expect(requests.answer('r1', {})).toBeNull();
  });

  it.each([
    ['nothing', {}],
    ['no question', { questions: [] }],
    ['too much', { questions: [{ question: 'x'.repeat(16_000) }] }],
  ])('that asks %s is refused at once', (_, input) => {
    const requests = createControlRequests();
    expect(requests.requested(asking('r1', input))).toEqual([]);
    expect(requests.takeReplies().map(responseOf)).toMatchObject([
      { request_id: 'r1', response: { behavior: 'deny' } },
    ]);
    expect(requests.takeReplies()).toEqual([]);
  });
});

describe('another request', () => {
  it('for a tool is refused in the words by which a refusal is known', () => {
    const requests = createControlRequests();
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: { command: 'reboot' } };
    expect(requests.requested(line('r1', request))).toEqual([]);
    expect(requests.takeReplies().map(responseOf)).toMatchObject([
      { response: { message: expect.stringMatching(/^Permission to use Bash has been denied/) } },
    ]);
  });

  it('of another kind is an error, and one that was cut is refused by its id', () => {
    const requests = createControlRequests();
    requests.requested(line('m1', { subtype: 'mcp_message' }));
    requests.cut('{"type":"control_request","request_id":"c1","request":{"subtype":"can_use');
    expect(requests.takeReplies().map(responseOf)).toMatchObject([
      { subtype: 'error', request_id: 'm1' },
      { subtype: 'success', request_id: 'c1', response: { behavior: 'deny' } },
    ]);
  });

  it('without an id cannot be answered', () => {
    expect(() => createControlRequests().requested({ request: {} })).toThrow();
  });
});
