package io.strowger.spi.store;

/**
 * The stores of a gateway, which keep everything that outlives a request. The owner of the stores
 * must close them after the gateway; when {@link #close} returns, everything written before is
 * safe.
 */
public interface Stores extends AutoCloseable {
  /** Returns the store of resources. Always the same. */
  DocumentStore documents();

  /** Returns the store of spending. Always the same. */
  LedgerStore ledger();

  /** Returns the store of records of finished requests. Always the same. */
  GenerationStore generations();

  /** Returns the reader of the audit log that {@link #documents} writes. Always the same. */
  AuditStore audit();

  /** Returns the store of batches with their requests and results. */
  BatchStore batches();

  @Override
  void close();
}
