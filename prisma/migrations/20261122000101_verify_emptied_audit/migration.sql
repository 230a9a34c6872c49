-- A log from which every entry was taken does not match its head, which knows how many there were.
create or replace function app.verify_audit() returns table (checked bigint, first_bad bigint, head_matches boolean)
language sql stable as $$
  select count(*), min(seq) filter (where not ok),
    coalesce((select (h.seq, h.hash) = (coalesce(max(s.seq), 0), coalesce((array_agg(s.hash order by s.seq desc))[1], '\x'::bytea))
      from audit_head h), count(*) = 0)
  from (
    select seq, hash, coalesce(
      seq = lag(seq, 1, 0::bigint) over w + 1
      and prev_hash = lag(hash, 1, '\x'::bytea) over w
      and hash = app.audit_hash(prev_hash, organization_id, seq, at, actor, action, target, detail), false) as ok
    from audit_log where organization_id = app.organization_id() window w as (order by seq)
  ) s
$$;
