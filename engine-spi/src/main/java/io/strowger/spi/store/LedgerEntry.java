package io.strowger.spi.store;

import io.strowger.spi.model.Usage;
import io.strowger.spi.observe.CallRecord;
import java.time.Instant;
import java.util.Objects;

/**
 * One entry of the ledger: the outcome and the cost of one attempt, or of one thing that a plugin
 * pays for, such as a search. Written once, never changed.
 *
 * @param generation id of the request, {@code gen-...}
 * @param number the entry's number within the request, from 0; unique together with generation
 * @param at when the attempt, or what was paid for, ended
 * @param subject {@link io.strowger.spi.catalog.Endpoint#id()}, or the plugin and its purpose
 * @param byokKey id of the BYOK key that was used; empty when none was
 * @param outcome how it ended; an attempt that failed or was cancelled has an entry, too
 * @param usage what was used
 * @param charge what it cost; zero where nothing is charged
 */
public record LedgerEntry(
    String generation,
    int number,
    Instant at,
    String subject,
    String byokKey,
    CallRecord.Outcome outcome,
    Usage usage,
    Charge charge) {
  public LedgerEntry {
    Objects.requireNonNull(generation, "generation");
    Objects.requireNonNull(at, "at");
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(byokKey, "byokKey");
    Objects.requireNonNull(outcome, "outcome");
    Objects.requireNonNull(usage, "usage");
    Objects.requireNonNull(charge, "charge");
  }
}
