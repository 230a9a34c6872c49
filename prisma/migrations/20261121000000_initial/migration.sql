-- CreateTable
CREATE TABLE "user_account" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "password_hash" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "user_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "account" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "provider" TEXT NOT NULL,
    "provider_account_id" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "auth_session" (
    "id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "user_agent" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "auth_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "rate_limit" (
    "key" TEXT NOT NULL,
    "points" INTEGER NOT NULL,
    "expire" TIMESTAMPTZ(3),

    CONSTRAINT "rate_limit_pkey" PRIMARY KEY ("key")
);

-- CreateTable
CREATE TABLE "process_heartbeat" (
    "name" TEXT NOT NULL,
    "continuous_since" TIMESTAMPTZ(3) NOT NULL,
    "last_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "process_heartbeat_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "audit_log" (
    "organization_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "actor" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "detail" JSONB NOT NULL,
    "prev_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "audit_log_pkey" PRIMARY KEY ("organization_id","seq")
);

-- CreateTable
CREATE TABLE "audit_head" (
    "organization_id" UUID NOT NULL,
    "seq" BIGINT NOT NULL DEFAULT 0,
    "hash" BYTEA NOT NULL DEFAULT '\x'::bytea,

    CONSTRAINT "audit_head_pkey" PRIMARY KEY ("organization_id")
);

-- CreateTable
CREATE TABLE "chain" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "slot_at" TIMESTAMPTZ(3),
    "trigger" TEXT NOT NULL,
    "requested_by" TEXT,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "outcome" TEXT,
    "outcome_reason" TEXT,
    "status_text" TEXT NOT NULL DEFAULT '',
    "summary" TEXT NOT NULL DEFAULT '',
    "services_affected" TEXT[],
    "project_version" INTEGER NOT NULL,
    "start_tier" INTEGER NOT NULL DEFAULT 1,
    "highest_tier" INTEGER NOT NULL DEFAULT 0,
    "is_dry_run" BOOLEAN NOT NULL DEFAULT false,
    "is_force_fresh" BOOLEAN NOT NULL DEFAULT false,
    "prompt" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "stop_requested_at" TIMESTAMPTZ(3),
    "stop_requested_by" TEXT,
    "acknowledged_at" TIMESTAMPTZ(3),
    "acknowledged_by" TEXT,
    "acknowledge_note" TEXT,

    CONSTRAINT "chain_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "chain_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'tier',
    "tier" INTEGER NOT NULL,
    "parent_session_id" UUID,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "status_text" TEXT NOT NULL DEFAULT '',
    "model" TEXT NOT NULL,
    "project_version" INTEGER NOT NULL,
    "mechanism" TEXT,
    "is_fallback" BOOLEAN NOT NULL DEFAULT false,
    "cli_session_id" TEXT,
    "report" JSONB,
    "turns" INTEGER NOT NULL DEFAULT 0,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "last_seq" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "attempt" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "purpose" TEXT NOT NULL DEFAULT 'tier',
    "status" TEXT NOT NULL DEFAULT 'queued',
    "end_kind" TEXT,
    "end_text" TEXT NOT NULL DEFAULT '',
    "pool_id" UUID NOT NULL,
    "required_runner_id" UUID,
    "runner_id" UUID,
    "fence" INTEGER NOT NULL DEFAULT 0,
    "lease_expires_at" TIMESTAMPTZ(3),
    "only_mode" TEXT,
    "wait_until" TIMESTAMPTZ(3),
    "start" JSONB,
    "command" JSONB,
    "queued_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "not_before" TIMESTAMPTZ(3),
    "rung_at" TIMESTAMPTZ(3),
    "claimed_at" TIMESTAMPTZ(3),
    "started_at" TIMESTAMPTZ(3),
    "ended_at" TIMESTAMPTZ(3),
    "acked_seq" INTEGER NOT NULL DEFAULT 0,
    "cli_version" TEXT,
    "confirmed_cli_session_id" TEXT,
    "context_tokens" INTEGER,
    "context_window" INTEGER,
    "turns" INTEGER,
    "exit_code" INTEGER,
    "exit_signal" TEXT,
    "reported_usage" JSONB,
    "reported_cost_usd" DOUBLE PRECISION,
    "result" JSONB,
    "result_at" TIMESTAMPTZ(3),
    "is_result_late" BOOLEAN NOT NULL DEFAULT false,
    "settled_at" TIMESTAMPTZ(3),
    "stop_requested_at" TIMESTAMPTZ(3),
    "stop_cause" TEXT,

    CONSTRAINT "attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "session_event" (
    "organization_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "attempt_id" UUID,
    "attempt_seq" INTEGER,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "payload" JSONB NOT NULL,
    "is_late" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "session_event_pkey" PRIMARY KEY ("organization_id","session_id","seq")
);

-- CreateTable
CREATE TABLE "decision" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "chain_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "attempt_id" UUID,
    "kind" TEXT NOT NULL,
    "verdict" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "sentence" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "decision_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "handoff" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "chain_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "to_tier" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "payload" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "handoff_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pointer" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "cli_session_id" TEXT NOT NULL,
    "runner_id" UUID NOT NULL,
    "work_dir" TEXT NOT NULL,
    "work_dir_inode" TEXT NOT NULL,
    "config_dir" TEXT NOT NULL,
    "harness" TEXT NOT NULL,
    "fingerprint" TEXT,
    "cli_version" TEXT,
    "model" TEXT NOT NULL,
    "context_tokens" INTEGER,
    "context_window" INTEGER,
    "cumulative_tokens" INTEGER,
    "depth" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "project_version" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "retired_reason" TEXT,
    "is_late" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pointer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "model_window" (
    "organization_id" UUID NOT NULL,
    "cli_version" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "window_tokens" INTEGER NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "model_window_pkey" PRIMARY KEY ("organization_id","cli_version","model")
);

-- CreateTable
CREATE TABLE "ledger_entry" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "chain_id" UUID,
    "session_id" UUID NOT NULL,
    "attempt_id" UUID NOT NULL,
    "tier" INTEGER NOT NULL,
    "model" TEXT NOT NULL,
    "input_tokens" BIGINT NOT NULL,
    "output_tokens" BIGINT NOT NULL,
    "cache_read_tokens" BIGINT NOT NULL,
    "cache_write_tokens" BIGINT NOT NULL,
    "cost_micros" BIGINT NOT NULL,
    "is_estimate" BOOLEAN NOT NULL DEFAULT false,
    "price_table" TEXT,
    "raw" JSONB,
    "booked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_entry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "daily_usage" (
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "tier" INTEGER NOT NULL,
    "model" TEXT NOT NULL,
    "cost_micros" BIGINT NOT NULL,
    "tokens" BIGINT NOT NULL,

    CONSTRAINT "daily_usage_pkey" PRIMARY KEY ("organization_id","project_id","day","tier","model")
);

-- CreateTable
CREATE TABLE "organization" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "is_demo" BOOLEAN NOT NULL DEFAULT false,
    "paused_at" TIMESTAMPTZ(3),
    "paused_by" TEXT,
    "pause_reason" TEXT,

    CONSTRAINT "organization_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "membership" (
    "organization_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "membership_pkey" PRIMARY KEY ("organization_id","user_id")
);

-- CreateTable
CREATE TABLE "api_token" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_key" (
    "organization_id" UUID NOT NULL,
    "token_id" UUID NOT NULL,
    "route" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "body_hash" TEXT NOT NULL,
    "status" INTEGER,
    "response" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_key_pkey" PRIMARY KEY ("organization_id","token_id","route","key")
);

-- CreateTable
CREATE TABLE "project" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "current_version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_run_at" TIMESTAMPTZ(3),
    "paused_at" TIMESTAMPTZ(3),
    "paused_by" TEXT,
    "pause_reason" TEXT,
    "last_chain_number" INTEGER NOT NULL DEFAULT 0,
    "last_session_number" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_version" (
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "config" JSONB NOT NULL,
    "author" TEXT NOT NULL,
    "note" TEXT NOT NULL DEFAULT '',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_version_pkey" PRIMARY KEY ("organization_id","project_id","version")
);

-- CreateTable
CREATE TABLE "service" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'unknown',
    "status_since" TIMESTAMPTZ(3),
    "last_checked_at" TIMESTAMPTZ(3),
    "last_error" TEXT NOT NULL DEFAULT '',
    "snoozed_until" TIMESTAMPTZ(3),
    "snoozed_by" TEXT,
    "snooze_reason" TEXT,
    "removed_at" TIMESTAMPTZ(3),

    CONSTRAINT "service_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "service_health" (
    "organization_id" UUID NOT NULL,
    "service_id" UUID NOT NULL,
    "chain_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "status_before" TEXT NOT NULL,
    "error" TEXT NOT NULL DEFAULT '',
    "response_time_ms" INTEGER,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "service_health_pkey" PRIMARY KEY ("organization_id","service_id","chain_id")
);

-- CreateTable
CREATE TABLE "threshold" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "tier" INTEGER NOT NULL,
    "warn" DOUBLE PRECISION,
    "limit" DOUBLE PRECISION NOT NULL,

    CONSTRAINT "threshold_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "cooldown_action" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "session_id" UUID NOT NULL,
    "service" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "evidence" TEXT NOT NULL,
    "command" TEXT NOT NULL DEFAULT '',
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "cooldown_action_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_event" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "chain_id" UUID,
    "session_id" UUID,
    "level" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "service" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_event_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runner_pool" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "runner_pool_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "runner" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "pool_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "key_hash" TEXT NOT NULL,
    "allowed_tiers" INTEGER[],
    "slots" INTEGER NOT NULL DEFAULT 1,
    "posture" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_seen_at" TIMESTAMPTZ(3),
    "draining_at" TIMESTAMPTZ(3),
    "paused_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "runner_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "enrolment_token" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "pool_id" UUID NOT NULL,
    "token_hash" TEXT NOT NULL,
    "allowed_tiers" INTEGER[],
    "created_by" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "used_at" TIMESTAMPTZ(3),

    CONSTRAINT "enrolment_token_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_endpoint" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "project_id" UUID,
    "url" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "event_types" TEXT[],
    "secret_sealed" TEXT NOT NULL,
    "previous_secret_sealed" TEXT,
    "previous_secret_until" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "failing_since" TIMESTAMPTZ(3),
    "disabled_at" TIMESTAMPTZ(3),
    "disabled_reason" TEXT,

    CONSTRAINT "webhook_endpoint_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_delivery" (
    "id" UUID NOT NULL,
    "organization_id" UUID NOT NULL,
    "endpoint_id" UUID NOT NULL,
    "chain_id" UUID,
    "event_type" TEXT NOT NULL,
    "occasion" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'scheduled',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3),
    "delivered_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "rung_at" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_delivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "webhook_attempt" (
    "organization_id" UUID NOT NULL,
    "delivery_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "status" INTEGER,
    "duration_ms" INTEGER NOT NULL,
    "error" TEXT,
    "response_excerpt" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "webhook_attempt_pkey" PRIMARY KEY ("organization_id","delivery_id","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "user_account_email_key" ON "user_account"("email");

-- CreateIndex
CREATE INDEX "account_user_id_idx" ON "account"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "account_provider_provider_account_id_key" ON "account"("provider", "provider_account_id");

-- CreateIndex
CREATE INDEX "auth_session_user_id_idx" ON "auth_session"("user_id");

-- CreateIndex
CREATE INDEX "chain_organization_id_project_id_id_idx" ON "chain"("organization_id", "project_id", "id" DESC);

-- CreateIndex
CREATE INDEX "chain_organization_id_id_idx" ON "chain"("organization_id", "id" DESC);

-- CreateIndex
CREATE INDEX "chain_organization_id_status_idx" ON "chain"("organization_id", "status");

-- CreateIndex
CREATE UNIQUE INDEX "chain_organization_id_id_key" ON "chain"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "chain_organization_id_project_id_number_key" ON "chain"("organization_id", "project_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "chain_project_id_slot_at_key" ON "chain"("project_id", "slot_at");

-- CreateIndex
CREATE INDEX "session_organization_id_chain_id_idx" ON "session"("organization_id", "chain_id");

-- CreateIndex
CREATE INDEX "session_organization_id_parent_session_id_idx" ON "session"("organization_id", "parent_session_id");

-- CreateIndex
CREATE INDEX "session_organization_id_project_id_id_idx" ON "session"("organization_id", "project_id", "id" DESC);

-- CreateIndex
CREATE INDEX "session_organization_id_id_idx" ON "session"("organization_id", "id" DESC);

-- CreateIndex
CREATE INDEX "session_organization_id_status_idx" ON "session"("organization_id", "status");

-- CreateIndex
CREATE INDEX "session_organization_id_cli_session_id_idx" ON "session"("organization_id", "cli_session_id");

-- CreateIndex
CREATE UNIQUE INDEX "session_organization_id_id_key" ON "session"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "session_organization_id_project_id_number_key" ON "session"("organization_id", "project_id", "number");

-- CreateIndex
CREATE INDEX "attempt_organization_id_status_idx" ON "attempt"("organization_id", "status");

-- CreateIndex
CREATE INDEX "attempt_status_lease_expires_at_idx" ON "attempt"("status", "lease_expires_at");

-- CreateIndex
CREATE INDEX "attempt_organization_id_runner_id_status_idx" ON "attempt"("organization_id", "runner_id", "status");

-- CreateIndex
CREATE UNIQUE INDEX "attempt_organization_id_id_key" ON "attempt"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "attempt_organization_id_session_id_number_key" ON "attempt"("organization_id", "session_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "session_event_organization_id_attempt_id_attempt_seq_key" ON "session_event"("organization_id", "attempt_id", "attempt_seq");

-- CreateIndex
CREATE INDEX "decision_organization_id_chain_id_id_idx" ON "decision"("organization_id", "chain_id", "id");

-- CreateIndex
CREATE INDEX "decision_organization_id_session_id_id_idx" ON "decision"("organization_id", "session_id", "id");

-- CreateIndex
CREATE INDEX "handoff_organization_id_chain_id_idx" ON "handoff"("organization_id", "chain_id");

-- CreateIndex
CREATE UNIQUE INDEX "handoff_organization_id_session_id_key" ON "handoff"("organization_id", "session_id");

-- CreateIndex
CREATE INDEX "pointer_organization_id_session_id_idx" ON "pointer"("organization_id", "session_id");

-- CreateIndex
CREATE INDEX "pointer_organization_id_cli_session_id_idx" ON "pointer"("organization_id", "cli_session_id");

-- CreateIndex
CREATE UNIQUE INDEX "pointer_organization_id_attempt_id_key" ON "pointer"("organization_id", "attempt_id");

-- CreateIndex
CREATE INDEX "ledger_entry_organization_id_session_id_idx" ON "ledger_entry"("organization_id", "session_id");

-- CreateIndex
CREATE INDEX "ledger_entry_organization_id_chain_id_idx" ON "ledger_entry"("organization_id", "chain_id");

-- CreateIndex
CREATE INDEX "ledger_entry_organization_id_project_id_booked_at_idx" ON "ledger_entry"("organization_id", "project_id", "booked_at");

-- CreateIndex
CREATE UNIQUE INDEX "ledger_entry_organization_id_attempt_id_model_key" ON "ledger_entry"("organization_id", "attempt_id", "model");

-- CreateIndex
CREATE UNIQUE INDEX "organization_slug_key" ON "organization"("slug");

-- CreateIndex
CREATE INDEX "membership_user_id_idx" ON "membership"("user_id");

-- CreateIndex
CREATE UNIQUE INDEX "api_token_token_hash_key" ON "api_token"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "api_token_organization_id_id_key" ON "api_token"("organization_id", "id");

-- CreateIndex
CREATE INDEX "idempotency_key_created_at_idx" ON "idempotency_key"("created_at");

-- CreateIndex
CREATE INDEX "project_next_run_at_idx" ON "project"("next_run_at");

-- CreateIndex
CREATE UNIQUE INDEX "project_organization_id_id_key" ON "project"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "project_organization_id_slug_key" ON "project"("organization_id", "slug");

-- CreateIndex
CREATE UNIQUE INDEX "service_organization_id_id_key" ON "service"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "service_organization_id_project_id_name_key" ON "service"("organization_id", "project_id", "name");

-- CreateIndex
CREATE INDEX "service_health_organization_id_chain_id_idx" ON "service_health"("organization_id", "chain_id");

-- CreateIndex
CREATE UNIQUE INDEX "threshold_organization_id_project_id_kind_tier_key" ON "threshold"("organization_id", "project_id", "kind", "tier");

-- CreateIndex
CREATE INDEX "cooldown_action_organization_id_project_id_at_idx" ON "cooldown_action"("organization_id", "project_id", "at");

-- CreateIndex
CREATE UNIQUE INDEX "cooldown_action_organization_id_session_id_evidence_service_key" ON "cooldown_action"("organization_id", "session_id", "evidence", "service", "action");

-- CreateIndex
CREATE INDEX "project_event_organization_id_project_id_id_idx" ON "project_event"("organization_id", "project_id", "id" DESC);

-- CreateIndex
CREATE INDEX "project_event_organization_id_id_idx" ON "project_event"("organization_id", "id" DESC);

-- CreateIndex
CREATE INDEX "project_event_organization_id_session_id_idx" ON "project_event"("organization_id", "session_id");

-- CreateIndex
CREATE UNIQUE INDEX "runner_pool_organization_id_id_key" ON "runner_pool"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "runner_pool_organization_id_name_key" ON "runner_pool"("organization_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "runner_key_hash_key" ON "runner"("key_hash");

-- CreateIndex
CREATE UNIQUE INDEX "runner_organization_id_id_key" ON "runner"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "runner_organization_id_name_key" ON "runner"("organization_id", "name");

-- CreateIndex
CREATE UNIQUE INDEX "enrolment_token_token_hash_key" ON "enrolment_token"("token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "enrolment_token_organization_id_id_key" ON "enrolment_token"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_endpoint_organization_id_id_key" ON "webhook_endpoint"("organization_id", "id");

-- CreateIndex
CREATE INDEX "webhook_delivery_status_next_attempt_at_idx" ON "webhook_delivery"("status", "next_attempt_at");

-- CreateIndex
CREATE INDEX "webhook_delivery_organization_id_endpoint_id_id_idx" ON "webhook_delivery"("organization_id", "endpoint_id", "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_organization_id_id_key" ON "webhook_delivery"("organization_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "webhook_delivery_organization_id_endpoint_id_occasion_key" ON "webhook_delivery"("organization_id", "endpoint_id", "occasion");

-- AddForeignKey
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "auth_session" ADD CONSTRAINT "auth_session_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "chain" ADD CONSTRAINT "chain_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "project"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "project"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_organization_id_chain_id_fkey" FOREIGN KEY ("organization_id", "chain_id") REFERENCES "chain"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session" ADD CONSTRAINT "session_organization_id_parent_session_id_fkey" FOREIGN KEY ("organization_id", "parent_session_id") REFERENCES "session"("organization_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_organization_id_session_id_fkey" FOREIGN KEY ("organization_id", "session_id") REFERENCES "session"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_organization_id_pool_id_fkey" FOREIGN KEY ("organization_id", "pool_id") REFERENCES "runner_pool"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attempt" ADD CONSTRAINT "attempt_organization_id_runner_id_fkey" FOREIGN KEY ("organization_id", "runner_id") REFERENCES "runner"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "session_event" ADD CONSTRAINT "session_event_organization_id_session_id_fkey" FOREIGN KEY ("organization_id", "session_id") REFERENCES "session"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decision" ADD CONSTRAINT "decision_organization_id_chain_id_fkey" FOREIGN KEY ("organization_id", "chain_id") REFERENCES "chain"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "decision" ADD CONSTRAINT "decision_organization_id_session_id_fkey" FOREIGN KEY ("organization_id", "session_id") REFERENCES "session"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "handoff" ADD CONSTRAINT "handoff_organization_id_chain_id_fkey" FOREIGN KEY ("organization_id", "chain_id") REFERENCES "chain"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "handoff" ADD CONSTRAINT "handoff_organization_id_session_id_fkey" FOREIGN KEY ("organization_id", "session_id") REFERENCES "session"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pointer" ADD CONSTRAINT "pointer_organization_id_session_id_fkey" FOREIGN KEY ("organization_id", "session_id") REFERENCES "session"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "pointer" ADD CONSTRAINT "pointer_organization_id_attempt_id_fkey" FOREIGN KEY ("organization_id", "attempt_id") REFERENCES "attempt"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_organization_id_session_id_fkey" FOREIGN KEY ("organization_id", "session_id") REFERENCES "session"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "ledger_entry" ADD CONSTRAINT "ledger_entry_organization_id_attempt_id_fkey" FOREIGN KEY ("organization_id", "attempt_id") REFERENCES "attempt"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "membership" ADD CONSTRAINT "membership_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "user_account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_token" ADD CONSTRAINT "api_token_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project" ADD CONSTRAINT "project_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_version" ADD CONSTRAINT "project_version_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "project"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service" ADD CONSTRAINT "service_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "project"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_health" ADD CONSTRAINT "service_health_organization_id_service_id_fkey" FOREIGN KEY ("organization_id", "service_id") REFERENCES "service"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "service_health" ADD CONSTRAINT "service_health_organization_id_chain_id_fkey" FOREIGN KEY ("organization_id", "chain_id") REFERENCES "chain"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "threshold" ADD CONSTRAINT "threshold_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "project"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "cooldown_action" ADD CONSTRAINT "cooldown_action_organization_id_session_id_fkey" FOREIGN KEY ("organization_id", "session_id") REFERENCES "session"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_event" ADD CONSTRAINT "project_event_organization_id_project_id_fkey" FOREIGN KEY ("organization_id", "project_id") REFERENCES "project"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_event" ADD CONSTRAINT "project_event_organization_id_session_id_fkey" FOREIGN KEY ("organization_id", "session_id") REFERENCES "session"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runner_pool" ADD CONSTRAINT "runner_pool_organization_id_fkey" FOREIGN KEY ("organization_id") REFERENCES "organization"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "runner" ADD CONSTRAINT "runner_organization_id_pool_id_fkey" FOREIGN KEY ("organization_id", "pool_id") REFERENCES "runner_pool"("organization_id", "id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "enrolment_token" ADD CONSTRAINT "enrolment_token_organization_id_pool_id_fkey" FOREIGN KEY ("organization_id", "pool_id") REFERENCES "runner_pool"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_delivery" ADD CONSTRAINT "webhook_delivery_organization_id_endpoint_id_fkey" FOREIGN KEY ("organization_id", "endpoint_id") REFERENCES "webhook_endpoint"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_attempt" ADD CONSTRAINT "webhook_attempt_organization_id_delivery_id_fkey" FOREIGN KEY ("organization_id", "delivery_id") REFERENCES "webhook_delivery"("organization_id", "id") ON DELETE CASCADE ON UPDATE CASCADE;


