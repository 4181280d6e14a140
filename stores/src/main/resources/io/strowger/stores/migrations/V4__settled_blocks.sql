-- What was settled, as bytes: items of the journal of a node whose requests came in one second, as
-- far as they arrived together. Takes the place of ledger_entry and generation, in which stays what
-- earlier versions wrote. came_second is that in the name of a request; where there is none, a hash
-- of the name, below zero. Lines of the books are kept; records of requests are forgotten when they
-- are old, and came_at with them, which is when the last of these requests came.
CREATE TABLE IF NOT EXISTS settled_block (
  came_second BIGINT                NOT NULL,
  node        VARCHAR(36) ${exact}  NOT NULL,
  item        BIGINT                NOT NULL, -- number of the first
  came_at     TIMESTAMP(6) WITH TIME ZONE,
  lines       ${bytes},
  records     ${bytes},
  PRIMARY KEY (came_second, node, item)
);
CREATE INDEX IF NOT EXISTS settled_block_came ON settled_block (came_at);

-- How many bytes of records there are of what a node wrote.
ALTER TABLE ledger_node ADD COLUMN IF NOT EXISTS record_bytes BIGINT DEFAULT 0 NOT NULL;
