-- Whether tier 1 or 2 still has a default rule of earlier versions that leaks: the home page of an
-- organization asks this of every project. The list is LEAKING_RULES of lib/projects/rules/retired.ts,
-- and a test compares the two.
alter table "project_version"
  add column "has_leaking_rules" boolean generated always as (jsonb_path_exists("config",
    '$.tiers[*] ? (@.tier < 3 && @.isEnabled == true).allowedTools[*] ? (
      @ == "Bash(systemctl status:*)" ||
      @ == "Bash(systemctl is-active:*)" ||
      @ == "Bash(systemctl show:*)" ||
      @ == "Bash(journalctl -u:*)" ||
      @ == "Bash(journalctl -n:*)" ||
      @ == "Bash(kubectl logs:*)" ||
      @ == "Bash(gh pr list:*)" ||
      @ == "Bash(gh pr view:*)" ||
      @ == "Bash(gh run list:*)" ||
      @ == "Bash(gh run view:*)" ||
      @ == "Bash(ping -c:*)" ||
      @ == "Bash(dig:*)" ||
      @ == "Bash(kubectl get:*)" ||
      @ == "Bash(kubectl describe:*)" ||
      @ == "Bash(kubectl rollout restart:*)" ||
      @ == "Bash(kubectl rollout status:*)" ||
      @ == "Bash(git add:*)" ||
      @ == "Bash(git commit:*)" ||
      @ == "Bash(git checkout -b:*)" ||
      @ == "Bash(git push -u origin:*)" ||
      @ == "Bash(gh pr create:*)" ||
      @ == "Bash(docker compose up -d:*)")')) stored;
