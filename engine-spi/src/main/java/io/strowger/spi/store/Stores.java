package io.strowger.spi.store;

/**
 * Everything a gateway keeps beyond a request, in one place. Whoever opens one closes it, after the
 * gateway; what was written before is then safe.
 */
public interface Stores extends AutoCloseable {
  DocumentStore documents();

  LedgerStore ledger();

  GenerationStore generations();

  /** What {@link #documents} wrote into the audit log. */
  AuditStore audit();

  @Override
  void close();
}
