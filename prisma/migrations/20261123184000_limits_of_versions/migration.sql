-- Copies of limits that nothing read. The engine reads the configuration of a version.
drop table threshold;
