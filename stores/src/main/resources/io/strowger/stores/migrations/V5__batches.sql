-- Batches. What changes often lies in small rows of its own, apart from what was asked and
-- answered, which is written once: batch_open has the requests without a result, and no others.
-- counts and figures of a batch are raised with each result. turn is raised whenever requests of
-- it are leased; who has the lowest is next. step_node and step_until are the lease of its step.
CREATE TABLE IF NOT EXISTS batch (
  id                VARCHAR(200) ${exact}       NOT NULL PRIMARY KEY,
  workspace         VARCHAR(200) ${exact}       NOT NULL,
  phase             VARCHAR(16)  ${exact}       NOT NULL,
  status            VARCHAR(200) ${exact}       NOT NULL,
  created_at        TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  due_at            TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  version           BIGINT                      NOT NULL,
  total             INTEGER                     NOT NULL,
  completed         INTEGER                     NOT NULL,
  failed            INTEGER                     NOT NULL,
  body              TEXT                        NOT NULL,
  turn              BIGINT                      NOT NULL,
  step_node         VARCHAR(36)  ${exact},
  step_until        TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  prompt_tokens     NUMERIC(38)                 NOT NULL,
  completion_tokens NUMERIC(38)                 NOT NULL,
  cached_tokens     NUMERIC(38)                 NOT NULL,
  reasoning_tokens  NUMERIC(38)                 NOT NULL,
  billed_nanos      NUMERIC(38)                 NOT NULL,
  overrun_nanos     NUMERIC(38)                 NOT NULL,
  byok_requests     NUMERIC(38)                 NOT NULL
);
CREATE INDEX IF NOT EXISTS batch_listed ON batch (workspace, created_at DESC, id DESC);
CREATE INDEX IF NOT EXISTS batch_turn ON batch (phase, turn, created_at, id);
CREATE INDEX IF NOT EXISTS batch_due ON batch (due_at);

-- custom_id is a JSON string: a caller may give characters that no database keeps.
CREATE TABLE IF NOT EXISTS batch_request (
  batch     VARCHAR(200) ${exact} NOT NULL,
  number    INTEGER               NOT NULL,
  custom_id VARCHAR               NOT NULL,
  body      ${bytes}              NOT NULL,
  PRIMARY KEY (batch, number)
);

-- ready_at: from when on it may be leased; a lease has a token and lasts until then. Those that
-- were never leased are ready since 1970, so that they are found in the order of their numbers.
-- claim: by whom, under which name and for how much it was going to be billed.
CREATE TABLE IF NOT EXISTS batch_open (
  batch            VARCHAR(200) ${exact}       NOT NULL,
  number           INTEGER                     NOT NULL,
  ready_at         TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  token            VARCHAR(60)  ${exact},
  attempts         INTEGER                     NOT NULL,
  claim_node       VARCHAR(36)  ${exact},
  claim_generation VARCHAR(200) ${exact},
  claim_nanos      BIGINT                      NOT NULL,
  PRIMARY KEY (batch, number)
);
CREATE INDEX IF NOT EXISTS batch_open_ready ON batch_open (batch, ready_at, number);

CREATE TABLE IF NOT EXISTS batch_result (
  batch             VARCHAR(200) ${exact} NOT NULL,
  number            INTEGER               NOT NULL,
  completed         BOOLEAN               NOT NULL,
  generation        VARCHAR(200) ${exact} NOT NULL,
  body              ${bytes}              NOT NULL,
  prompt_tokens     BIGINT                NOT NULL,
  completion_tokens BIGINT                NOT NULL,
  cached_tokens     BIGINT                NOT NULL,
  reasoning_tokens  BIGINT                NOT NULL,
  billed_nanos      BIGINT                NOT NULL,
  overrun_nanos     BIGINT                NOT NULL,
  byok_requests     BIGINT                NOT NULL,
  PRIMARY KEY (batch, number)
);

-- Whether a node is over and every line and record it wrote down is here.
ALTER TABLE ledger_node ADD COLUMN IF NOT EXISTS delivered BOOLEAN DEFAULT FALSE NOT NULL;
