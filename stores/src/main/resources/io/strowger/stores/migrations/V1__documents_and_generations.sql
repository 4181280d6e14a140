-- Runs on the embedded database and on the server alike. ${exact} makes text compare by its
-- characters and not by the language of a server. Every statement may run twice: the embedded
-- database keeps what a process made that was killed half-way, and the file is run again.

-- Resources: what is there now.
CREATE TABLE IF NOT EXISTS document (
  kind       VARCHAR(200) ${exact}       NOT NULL,
  id         VARCHAR(200) ${exact}       NOT NULL,
  listed_in  VARCHAR(200) ${exact}       NOT NULL,
  hidden     BOOLEAN                     NOT NULL,
  version    BIGINT                      NOT NULL,
  created_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  updated_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  body       TEXT                        NOT NULL,
  revision   BIGINT                      NOT NULL,
  PRIMARY KEY (kind, id)
);
CREATE INDEX IF NOT EXISTS document_created ON document (kind, created_at, id);
CREATE INDEX IF NOT EXISTS document_revised ON document (revision);

-- Resources that are gone: nodes that keep copies must hear of it. Pruned after a while.
CREATE TABLE IF NOT EXISTS document_removal (
  revision   BIGINT                      NOT NULL PRIMARY KEY,
  kind       VARCHAR(200) ${exact}       NOT NULL,
  id         VARCHAR(200) ${exact}       NOT NULL,
  removed_at TIMESTAMP(6) WITH TIME ZONE NOT NULL
);

-- One row. Every writing transaction raises latest before anything else and so has the row to
-- itself until it ends: revisions become visible in their order, and none is missed by who has seen
-- a later one. Removals up to forgotten are no longer known.
CREATE TABLE IF NOT EXISTS document_clock (
  latest    BIGINT NOT NULL,
  forgotten BIGINT NOT NULL
);
INSERT INTO document_clock (latest, forgotten)
SELECT 0, 0 WHERE NOT EXISTS (SELECT latest FROM document_clock);

-- Finished requests.
CREATE TABLE IF NOT EXISTS generation (
  id      VARCHAR(200) ${exact}       NOT NULL PRIMARY KEY,
  owner   VARCHAR(200) ${exact}       NOT NULL,
  came_at TIMESTAMP(6) WITH TIME ZONE NOT NULL,
  record  TEXT                        NOT NULL,
  content TEXT
);
CREATE INDEX IF NOT EXISTS generation_came ON generation (came_at);
