package io.strowger.core.audit;

import io.strowger.core.ambient.Uuids;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.resource.Timestamps;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.AuditEntry;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore.Write;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Creates the entries of the audit log, to be written with the changes they describe. They hold no
 * secret: plaintext keys and encrypted values are never among {@link AuditChanges}. Safe on any
 * thread.
 */
public final class AuditLog {
  private final Ambient ambient;

  public AuditLog(Ambient ambient) {
    this.ambient = Objects.requireNonNull(ambient, "ambient");
  }

  /**
   * The changed resource.
   *
   * @param id the id, as in paths
   * @param name the display name; null when it has none
   * @param workspace the id of its workspace; empty for the account
   */
  public record Subject(String id, @Nullable String name, String workspace) {
    /** Returns the subject for the document of a resource. */
    public static Subject of(Document document) {
      return new Subject(document.id(), document.body().text("name"), document.group());
    }
  }

  /**
   * Returns an entry, dated now, for a resource that is created or changed.
   *
   * @param before null when it is created
   */
  public Write entry(
      AuditActor actor,
      AuditAction action,
      ResourceType type,
      @Nullable Document before,
      Document after) {
    return entry(actor, action, Subject.of(after), AuditChanges.between(before, after, type));
  }

  /** Returns an entry, dated now, for a resource that is removed. */
  public Write removal(AuditActor actor, AuditAction action, Document resource) {
    return entry(actor, action, Subject.of(resource), AuditChanges.NONE);
  }

  /** Returns an entry, dated now, for a change. */
  public Write entry(
      AuditActor actor, AuditAction action, Subject subject, AuditChanges auditChanges) {
    Json.Obj body =
        Json.object()
            .put("action", action.wireName())
            .put("actor", actor.toJson())
            .put(
                "resource",
                Json.object()
                    .put("type", action.type())
                    .put("id", subject.id())
                    .putOrNull("name", subject.name())
                    .build())
            .put("changes", auditChanges.toJson())
            .build();
    String id = Uuids.next(ambient).toString();
    return new Write.Append(new AuditEntry(id, subject.workspace(), ambient.now(), body));
  }

  /** Returns an entry as {@code GET /audit-log} shows it. */
  public static Json.Obj toJson(AuditEntry entry) {
    return Json.object()
        .put("id", entry.id())
        .put("created_at", Timestamps.format(entry.at()))
        .putOrNull("workspace_id", entry.workspace().isEmpty() ? null : entry.workspace())
        .putAll(entry.body())
        .build();
  }
}
