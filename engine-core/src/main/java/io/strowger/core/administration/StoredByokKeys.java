package io.strowger.core.administration;

import io.strowger.core.ambient.Uuids;
import io.strowger.core.audit.AuditAction;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.audit.AuditLog;
import io.strowger.core.resource.ByokKeyTable;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.KeyMask;
import io.strowger.core.resource.ResourceType;
import io.strowger.core.resource.ResourceType.Values;
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
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and removes BYOK keys. Keys are encrypted before they are stored, and the next
 * request uses them. Safe on any thread; every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}. Resources fact sheet, section 4.
 */
public final class StoredByokKeys {
  static final String KIND = "byok";
  private static final ResourceType TYPE = ByokKeyTable.TYPE;

  private final DocumentRepository repository;
  private final WorkspaceGuard workspaceGuard;
  private final SecretCipher cipher;
  private final Ambient ambient;
  private final AuditLog audit;

  public StoredByokKeys(
      DocumentRepository repository,
      WorkspaceGuard workspaceGuard,
      SecretCipher cipher,
      Ambient ambient) {
    this.repository = Objects.requireNonNull(repository, "repository");
    this.workspaceGuard = Objects.requireNonNull(workspaceGuard, "workspaceGuard");
    this.cipher = Objects.requireNonNull(cipher, "cipher");
    this.ambient = Objects.requireNonNull(ambient, "ambient");
    this.audit = new AuditLog(ambient);
  }

  /**
   * Stores a new key.
   *
   * @param workspace the id of its workspace; empty for all
   * @param actor who creates it
   * @throws io.strowger.spi.error.GatewayException 400 when there is no secret key to encrypt it
   *     with, or when the workspace was deleted meanwhile; 409 after too many concurrent changes
   */
  public Document create(Values requestedValues, String workspace, AuditActor actor) {
    String id = Uuids.next(ambient).toString();
    Values sealedValues = withSealedSecret(requestedValues, id);
    Document document =
        TYPE.withVisibility(
            repository.newDocument(id, workspace, TYPE.body(sealedValues)), sealedValues);
    List<Write> writes =
        List.of(
            new Write.Insert(document),
            audit.entry(actor, AuditAction.BYOK_CREATE, TYPE, null, document));
    String guardWorkspace = workspace.isEmpty() ? DefaultWorkspace.ID : workspace; // always exists
    if (!workspaceGuard.writeWithin(guardWorkspace, writes)) {
      throw GatewayError.of(ErrorCode.CONFLICT).toException();
    }
    return document;
  }

  /** Returns the values with the key, if one is given, in encrypted form. */
  private Values withSealedSecret(Values values, String id) {
    Credential key = values.secret();
    if (key == null) {
      return values;
    }
    try {
      return values
          .with("label", Json.of(KeyMask.of(key.reveal())))
          .with(ResourceType.SEALED, Json.of(cipher.seal(key, sealingContext(id))));
    } catch (SecretKeyException e) {
      throw GatewayError.of(ErrorCode.INVALID_REQUEST, "The key cannot be kept: " + e.getMessage())
          .toException();
    }
  }

  /**
   * Returns the associated data of a key's encryption, so that a ciphertext cannot be moved to
   * another key.
   */
  static String sealingContext(String id) {
    return KIND + "/" + id;
  }

  /** Returns a key; null when there is none. */
  public @Nullable Document find(String id) {
    return repository.find(id);
  }

  /**
   * Returns a page of the keys, newest first, including disabled ones.
   *
   * @param workspace the id of the workspace; null for all
   */
  public DocumentStore.Page list(@Nullable String workspace, long offset, int limit) {
    return repository.list(workspace, true, DocumentStore.Order.NEWEST_FIRST, offset, limit);
  }

  /**
   * Changes a key.
   *
   * @return the key after the change; null when there is none
   * @throws io.strowger.spi.error.GatewayException 400 when there is no secret key to encrypt it
   *     with
   */
  public @Nullable Document update(String id, Values change, AuditActor actor) {
    return repository.change(
        id,
        (current, at) -> TYPE.next(current, at, withSealedSecret(change, id)),
        (current, next) ->
            audit.entry(
                actor,
                AuditAction.BYOK_UPDATE,
                TYPE,
                current,
                Objects.requireNonNull(next, "an update removes nothing")));
  }

  /** Removes a key; returns false when there is none. */
  public boolean delete(String id, AuditActor actor) {
    return repository.remove(
        id, (current, none) -> audit.removal(actor, AuditAction.BYOK_DELETE, current));
  }
}
