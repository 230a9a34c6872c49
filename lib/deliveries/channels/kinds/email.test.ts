import { describeKind } from '@/tests/support/describe-kind';

const addresses = ['a@x.example', 'b@x.example'];

describeKind('email', {
  accepted: [[{ addresses: [...addresses, 'a@x.example'] }, { addresses }]],
  refused: [
    [{ addresses: [] }, 'addresses', 'at least one'],
    [{ addresses: ['a@x.example', 'nobody'] }, 'addresses.1', 'full address'],
    [
      { addresses: Array.from({ length: 11 }, (_, n) => `a${n}@x.example`) },
      'addresses',
      'at most 10',
    ],
  ],
  shown: [[{ addresses }, 'a@x.example, b@x.example']],
  entered: [
    [
      { addresses: ' a@x.example, b@x.example;\nc@x.example ' },
      { addresses: [...addresses, 'c@x.example'] },
    ],
  ],
  notices: [{ addresses }],
});
