package io.strowger.spi.store;

import io.strowger.spi.json.Json;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;

/**
 * One entry of the audit log: who changed what, from where and when. Never changed once it is
 * written. Stores interpret every member but the body, which is opaque to them.
 *
 * @param id unique id, for which {@link Document#isValidId} is true
 * @param workspace the workspace the change was made in; empty when it concerns the account
 * @param at when the change was made; truncated to microseconds, as databases store it
 * @param body the engine's data about the change; contains no secret
 */
public record AuditEntry(String id, String workspace, Instant at, Json.Obj body) {
  public AuditEntry {
    if (!Document.isValidId(id) || !workspace.isEmpty() && !Document.isValidId(workspace)) {
      throw new IllegalArgumentException(
          "id must be text of 1 to 200 characters and workspace of at most 200, "
              + "without NUL or lone surrogates");
    }
    at = at.truncatedTo(ChronoUnit.MICROS);
    Objects.requireNonNull(body, "body");
  }

  @Override
  public String toString() {
    return "audit entry " + id;
  }
}
