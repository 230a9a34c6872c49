import { describe, expect, it } from 'vitest';
import { approvalTitle, shellLine } from './words';

describe('a command as people read it', () => {
  it.each([
    [['docker', 'restart', 'web'], 'docker restart web'],
    [['docker', 'restart', 'web db'], "docker restart 'web db'"],
    [['echo', ''], "echo ''"],
    [['echo', "it's"], "echo 'it'\\''s'"],
    [
      ['kubectl', 'get', 'pods', '-o', 'jsonpath={.items[*]}'],
      "kubectl get pods -o 'jsonpath={.items[*]}'",
    ],
    [['echo', 'a\nb'], "echo $'a\\nb'"],
    [['echo', "it's\ta\\b\u001b[2J"], "echo $'it\\'s\\ta\\\\b\\u001b[2J'"],
  ])('%j', (argv, line) => {
    expect(shellLine(argv)).toBe(line);
  });

  it.each([
    [{ tier: 2, argv: null }, 'The start of tier 2'],
    [{ tier: 2, argv: ['docker', 'ps'] }, '`docker ps`'],
  ])('is the subject of a sentence: %j', (approval, title) => {
    expect(approvalTitle(approval)).toBe(title);
  });

  it('is cut in a sentence', () => {
    expect(approvalTitle({ tier: 2, argv: ['x'.repeat(500)] })).toHaveLength(203);
  });
});
