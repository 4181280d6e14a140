package io.strowger.spi.store;

import io.strowger.spi.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * One line of the audit log: who changed what, from where, and when. Never changed once it is
 * written. A store reads only these members; what the body holds concerns the engine alone.
 *
 * @param id unique; text as {@link Document#isName} allows it
 * @param workspace the workspace the change was made in; empty when it concerns the account
 * @param at when the change was made; cut to microseconds, which is what databases keep
 * @param body holds no secret
 */
public record AuditEntry(String id, String workspace, Instant at, Json.Obj body) {
  public AuditEntry {
    if (!Document.isName(id) || !workspace.isEmpty() && !Document.isName(workspace)) {
      throw new IllegalArgumentException(
          "id and workspace must be text of at most 200 characters without NUL");
    }
    at = at.truncatedTo(ChronoUnit.MICROS);
    Objects.requireNonNull(body, "body");
  }

  @Override
  public String toString() {
    return "audit entry " + id;
  }
}
