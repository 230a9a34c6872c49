import { describe, expect, it } from 'vitest';
import { composeMail } from './mail';

const content = {
  title: 'Acme: Checkout #12 needs a human',
  lines: ['Tier 3 <ended> & "unresolved".'],
  link: { url: 'https://ops.example/acme?a=1&b="2"', label: 'Open the chain' },
  footer: 'You get this because of channel On-call.',
};

describe('composeMail', () => {
  it('has the same content in plain text and in HTML, where text stays text', () => {
    const { subject, text, html } = composeMail(content);
    expect(subject).toBe(content.title);
    expect(text).toBe(
      'Tier 3 <ended> & "unresolved".\n\nOpen the chain: https://ops.example/acme?a=1&b="2"\n\n-- \nYou get this because of channel On-call.',
    );
    expect(html).toContain('<p>Tier 3 &lt;ended&gt; &amp; &quot;unresolved&quot;.</p>');
    expect(html).toContain('href="https://ops.example/acme?a=1&amp;b=&quot;2&quot;"');
    expect(html).not.toContain('<ended>');
  });

  it('keeps a title of several lines from making headers', () => {
    const { subject } = composeMail({ ...content, title: 'Hi\r\nBcc: all@acme.example' });
    expect(subject).toBe('Hi Bcc: all@acme.example');
  });

  it('leaves the link out where there is none', () => {
    expect(composeMail({ ...content, link: null }).html).not.toContain('href');
  });
});
