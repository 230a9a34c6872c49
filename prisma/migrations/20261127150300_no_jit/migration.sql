-- Builds of PostgreSQL with LLVM would compile the overview of many projects anew for every page, since its estimated
-- cost is above jit_above_cost, though it runs for milliseconds.
do $$ begin
  execute format('alter database %I set jit = off', current_database());
exception when insufficient_privilege then
  raise notice 'jit stays as it is: %', sqlerrm;
end $$;
