-- The books. Amounts are nanodollars. A node is one start of a process: what it did is counted
-- under its own name until it ended, so that nobody waits for anybody to count.

CREATE TABLE IF NOT EXISTS ledger_node (
  id       VARCHAR(36) ${exact}        NOT NULL PRIMARY KEY,
  boot     VARCHAR(60)                 NOT NULL,
  began_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  seen_at  TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  flushed  BIGINT                      NOT NULL, -- lines of its journal before this item are here
  recorded BIGINT DEFAULT 0            NOT NULL, -- records of requests before this item are here
  ended    BOOLEAN                     NOT NULL
);

-- Where money is counted, as long as its window may be asked for. Whoever grants something of an account has its row to himself.
CREATE TABLE IF NOT EXISTS ledger_account (
  payer VARCHAR(1000) ${exact} NOT NULL,
  span  VARCHAR(16)   ${exact} NOT NULL,
  PRIMARY KEY (payer, span)
);
CREATE INDEX IF NOT EXISTS ledger_account_span ON ledger_account (span);

-- What a node spent; under the empty name what those spent that are over.
CREATE TABLE IF NOT EXISTS ledger_spent (
  payer    VARCHAR(1000) ${exact}      NOT NULL,
  span     VARCHAR(16)   ${exact}      NOT NULL,
  node     VARCHAR(36)   ${exact}      NOT NULL,
  credits  BIGINT                      NOT NULL,
  own_keys BIGINT                      NOT NULL,
  last_at  TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  PRIMARY KEY (payer, span, node)
);
CREATE INDEX IF NOT EXISTS ledger_spent_node ON ledger_spent (node);
CREATE INDEX IF NOT EXISTS ledger_spent_span ON ledger_spent (span);

-- What a node may spend in all since it began. Of two questions of a node the one with the higher
-- turn was asked later.
CREATE TABLE IF NOT EXISTS ledger_slice (
  payer         VARCHAR(1000) ${exact} NOT NULL,
  span          VARCHAR(16)   ${exact} NOT NULL,
  with_own_keys BOOLEAN                NOT NULL,
  node          VARCHAR(36)   ${exact} NOT NULL,
  granted       BIGINT                 NOT NULL,
  turn          BIGINT                 NOT NULL,
  PRIMARY KEY (payer, span, with_own_keys, node)
);
CREATE INDEX IF NOT EXISTS ledger_slice_node ON ledger_slice (node);
CREATE INDEX IF NOT EXISTS ledger_slice_span ON ledger_slice (span);

-- The lines. Never changed. The key is where a line stands in the journal of its node, so that none
-- is counted twice. accounts: where it counts, one payer and window a line.
CREATE TABLE IF NOT EXISTS ledger_entry (
  node                 VARCHAR(36) ${exact}        NOT NULL,
  item                 BIGINT                      NOT NULL,
  line                 INTEGER                     NOT NULL,
  generation           VARCHAR                     NOT NULL,
  act                  INTEGER                     NOT NULL,
  at                   TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  what                 VARCHAR                     NOT NULL,
  own_key              VARCHAR                     NOT NULL,
  outcome              VARCHAR(16)                 NOT NULL,
  estimated            BOOLEAN                     NOT NULL,
  fresh_input          BIGINT                      NOT NULL,
  input_audio          BIGINT                      NOT NULL,
  cache_read           BIGINT                      NOT NULL,
  cache_write_5m       BIGINT                      NOT NULL,
  cache_write_1h       BIGINT                      NOT NULL,
  output_text          BIGINT                      NOT NULL,
  reasoning            BIGINT                      NOT NULL,
  output_audio         BIGINT                      NOT NULL,
  images               BIGINT                      NOT NULL,
  searches             BIGINT                      NOT NULL,
  tool_calls_requested BIGINT                      NOT NULL,
  tool_calls_executed  BIGINT                      NOT NULL,
  credits              BIGINT                      NOT NULL,
  own_keys             BIGINT                      NOT NULL,
  accounts             VARCHAR                     NOT NULL,
  PRIMARY KEY (node, item, line)
);
