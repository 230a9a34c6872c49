interface MailContent {
  title: string;
  /** Paragraphs of plain text. */
  lines: readonly string[];
  link: { url: string; label: string } | null;
  /** Why the reader gets this. */
  footer: string;
}

interface ComposedMail {
  subject: string;
  text: string;
  html: string;
}

/** One message in plain text and in simple HTML without pictures, styles from afar or tracking. */
export function composeMail(content: MailContent): ComposedMail {
  const { title, lines, link, footer } = content;
  return {
    subject: oneLine(title),
    text: [...lines, ...(link ? [`${link.label}: ${link.url}`] : []), `-- \n${footer}`].join(
      '\n\n',
    ),
    html: [
      '<!doctype html><html lang="en"><head><meta charset="utf-8">',
      `<title>${escapeHtml(title)}</title></head>`,
      '<body style="font:14px/20px system-ui,sans-serif;max-width:38rem;margin:24px auto;padding:0 16px">',
      `<h1 style="font-size:18px;line-height:26px">${escapeHtml(title)}</h1>`,
      ...lines.map((line) => `<p>${escapeHtml(line)}</p>`),
      ...(link ? [`<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a></p>`] : []),
      `<p style="color:#64686f;font-size:12px;line-height:16px">${escapeHtml(footer)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

/** What is written in a subject must not begin a header of its own. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
