-- The audit log. Entries are only added, with the documents they tell of, and forgotten by age. An
-- entry has a revision of its own from document_clock, so they are numbered in the order in which
-- they were written.
CREATE TABLE IF NOT EXISTS audit_entry (
  revision  BIGINT                      NOT NULL PRIMARY KEY,
  id        VARCHAR(200) ${exact}       NOT NULL,
  workspace VARCHAR(200) ${exact}       NOT NULL,
  made_at   TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  body      TEXT                        NOT NULL
);
CREATE INDEX IF NOT EXISTS audit_entry_made ON audit_entry (made_at);
CREATE INDEX IF NOT EXISTS audit_entry_workspace ON audit_entry (workspace, revision);
