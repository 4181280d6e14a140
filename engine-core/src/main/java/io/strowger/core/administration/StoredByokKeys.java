package io.strowger.core.administration;

import io.strowger.core.ambient.Uuids;
import io.strowger.core.audit.AuditAction;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.audit.AuditChanges;
import io.strowger.core.audit.AuditLog;
import io.strowger.core.resource.ByokKeyCreate;
import io.strowger.core.resource.ByokKeyUpdate;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.KeyLabel;
import io.strowger.core.resource.Patch;
import io.strowger.core.secret.SecretCipher;
import io.strowger.core.secret.SecretKeyException;
import io.strowger.core.store.DocumentRepository;
import io.strowger.core.store.WorkspaceGuard;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The customers' own keys of providers: made, changed and removed here, encrypted before they are
 * kept, and used by the next request. Safe on any thread; every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}. Resources fact sheet, section 4.
 */
public final class StoredByokKeys {
  static final String KIND = "byok";

  /**
   * Members as the audit log tells of them; that the key was replaced is told by its name alone.
   */
  private static final AuditChanges.Members TOLD =
      new AuditChanges.Members(
          Set.of(
              "provider",
              "name",
              "label",
              "is_fallback",
              "sort_order",
              "always_use",
              "allowed_models",
              "allowed_api_key_hashes",
              "allowed_user_ids"),
          Set.of(ByokKeyDocument.SEALED));

  private final DocumentRepository repository;
  private final WorkspaceGuard workspaceGuard;
  private final SecretCipher cipher;
  private final Ambient ambient;
  private final AuditLog audit;

  public StoredByokKeys(
      DocumentRepository repository, WorkspaceGuard workspaceGuard, SecretCipher cipher, Ambient ambient) {
    this.repository = Objects.requireNonNull(repository, "repository");
    this.workspaceGuard = Objects.requireNonNull(workspaceGuard, "workspaceGuard");
    this.cipher = Objects.requireNonNull(cipher, "cipher");
    this.ambient = Objects.requireNonNull(ambient, "ambient");
    this.audit = new AuditLog(ambient);
  }

  /** A part of a list. */
  public record Listed(List<ByokKeyInfo> keys, long total) {}

  /**
   * Keeps a key.
   *
   * @param workspace its id; empty for all
   * @param by who asks
   * @throws io.strowger.spi.error.GatewayException 400 when there is nothing to encrypt it with
   */
  public ByokKeyInfo create(ByokKeyCreate asked, String workspace, AuditActor by) {
    String id = Uuids.next(ambient).toString();
    String sealed = sealed(asked.key(), id);
    Json.Obj body =
        ByokKeyDocument.body(asked.provider(), label(asked.key()), sealed, asked.fields());
    Document document = repository.newDocument(id, workspace, body).hide(asked.fields().disabled());
    List<Write> writes =
        List.of(new Write.Insert(document), entry(by, AuditAction.BYOK_CREATE, null, document));
    String home = workspace.isEmpty() ? DefaultWorkspace.ID : workspace; // which is always there
    if (!workspaceGuard.add(home, writes)) {
      throw GatewayError.of(ErrorCode.CONFLICT).toException();
    }
    return ByokKeyDocument.read(document);
  }

  private Write entry(
      AuditActor by, AuditAction action, @Nullable Document before, Document after) {
    Json.Obj body = before == null ? Json.Obj.EMPTY : before.body();
    AuditChanges auditChanges = AuditChanges.between(body, after.body(), TOLD);
    if (!ByokKeyDocument.sealed(after)
        .equals(before == null ? "" : ByokKeyDocument.sealed(before))) {
      auditChanges = auditChanges.and("key");
    }
    boolean disabled = before != null && before.hidden();
    auditChanges = auditChanges.and("disabled", Json.of(disabled), Json.of(after.hidden()));
    return audit.entry(by, action, subject(after), auditChanges);
  }

  private static AuditLog.Subject subject(Document key) {
    return new AuditLog.Subject(key.id(), key.body().text("name"), key.group());
  }

  private static String label(Credential key) {
    return KeyLabel.of(key.reveal());
  }

  private String sealed(Credential key, String id) {
    try {
      return cipher.seal(key, place(id));
    } catch (SecretKeyException none) {
      throw GatewayError.of(
              ErrorCode.INVALID_REQUEST, "The key cannot be kept: " + none.getMessage())
          .toException();
    }
  }

  /** Where a key's secret is kept. */
  static String place(String id) {
    return KIND + "/" + id;
  }

  /**
   * @return null when there is none
   */
  public @Nullable ByokKeyInfo find(String id) {
    Document document = repository.find(id);
    return document == null ? null : ByokKeyDocument.read(document);
  }

  /**
   * A part of the keys, the newest first, disabled ones too.
   *
   * @param workspace null: of all
   */
  public Listed list(@Nullable String workspace, long offset, int limit) {
    DocumentStore.Page page =
        repository.list(workspace, true, DocumentStore.Order.CREATED_LAST, offset, limit);
    return new Listed(page.documents().stream().map(ByokKeyDocument::read).toList(), page.total());
  }

  /**
   * Changes a key.
   *
   * @return the key after it; null when there is none
   * @throws io.strowger.spi.error.GatewayException 400 when there is nothing to encrypt it with
   */
  public @Nullable ByokKeyInfo update(String id, ByokKeyUpdate change, AuditActor by) {
    Document changed =
        repository.change(
            id,
            (current, at) -> next(current, at, change),
            (current, next) ->
                entry(by, AuditAction.BYOK_UPDATE, current, next == null ? current : next));
    return changed == null ? null : ByokKeyDocument.read(changed);
  }

  private Document next(Document current, Instant at, ByokKeyUpdate change) {
    var fields = change.fields().over(ByokKeyDocument.read(current).fields());
    Json.Obj body = ByokKeyDocument.with(current.body(), fields);
    if (change.key() instanceof Patch.Set<Credential>(Credential key)) {
      body = ByokKeyDocument.with(body, label(key), sealed(key, current.id()));
    }
    return current.next(at, body).hide(fields.disabled());
  }

  /** Removes a key; false when there is none. */
  public boolean delete(String id, AuditActor by) {
    return repository.remove(id, (current, none) -> removed(audit, current, by));
  }

  /** Returns the entry of the audit log for a key that goes. */
  static Write removed(AuditLog audit, Document key, AuditActor by) {
    return audit.entry(by, AuditAction.BYOK_DELETE, subject(key), AuditChanges.NONE);
  }
}
