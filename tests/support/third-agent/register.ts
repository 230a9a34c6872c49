/**
 * What a third agent CLI costs: its folder, its name, and its line in the registry. Has to be a
 * process's first import; the database's CHECKs are widened by `allowParrot`.
 */
import './parrot/parrot-name';
import { AGENTS } from '@/lib/agents/registry';
import { parrotAgent } from './parrot/parrot-agent';

Object.assign(AGENTS, { [parrotAgent.name]: parrotAgent });
