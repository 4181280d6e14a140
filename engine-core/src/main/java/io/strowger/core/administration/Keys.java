package io.strowger.core.administration;

import io.strowger.core.audit.AuditAction;
import io.strowger.core.audit.AuditActor;
import io.strowger.core.audit.AuditChanges;
import io.strowger.core.audit.AuditLog;
import io.strowger.core.authentication.ApiKey;
import io.strowger.core.authentication.Authenticator;
import io.strowger.core.authentication.Caller;
import io.strowger.core.config.KeyConfig;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.KeyLimit;
import io.strowger.core.resource.KeyMask;
import io.strowger.core.resource.KeyTable;
import io.strowger.core.resource.ResourceType.Values;
import io.strowger.core.store.DocumentRepository;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.store.WorkspaceGuard;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.spi.store.KeyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and removes the keys of the account; the next request sees a change. Safe on any
 * thread; every method may throw {@link io.strowger.spi.store.StoreUnavailableException}. Contract:
 * "API key".
 */
public final class Keys {
  static final String KIND = "key";

  /** Documents that record, by hash, which keys of the file were created; they outlive the keys. */
  private static final String SEEDED_KIND = "key-seeded";

  private static final int SECRET_BYTES = 32;

  /** The most attempts at a write; concurrent changes alone do not make so many fail. */
  private static final int MAX_TRIES = 1_000;

  private final DocumentRepository repository;
  private final StoreWatch watch;
  private final DocumentRepository assignments;
  private final DocumentRepository seededKeys;
  private final KeyAliases aliases;
  private final ManagementGuard managementGuard;
  private final WorkspaceGuard workspaceGuard;
  private final AuditLog audit;
  private final IntFunction<byte[]> random;

  /**
   * @param watch the watch over the documents of keys
   * @param random returns unpredictable bytes, as many as its argument says
   */
  public Keys(StoreWatch watch, Ambient ambient, IntFunction<byte[]> random) {
    this.watch = Objects.requireNonNull(watch, "watch");
    this.repository = new DocumentRepository(watch, KIND, ambient);
    this.assignments = new DocumentRepository(watch, GuardrailAssignments.KEY_KIND, ambient);
    this.seededKeys = new DocumentRepository(watch, SEEDED_KIND, ambient);
    this.aliases = new KeyAliases(new DocumentRepository(watch, KeyAliases.KIND, ambient));
    this.managementGuard = new ManagementGuard(watch, ambient, repository);
    this.workspaceGuard = new WorkspaceGuard(watch, ambient);
    this.audit = new AuditLog(ambient);
    this.random = Objects.requireNonNull(random, "random");
  }

  /** Returns a new plaintext: {@code sk-} followed by 256 unpredictable bits. */
  static Credential newSecret(IntFunction<byte[]> random) {
    byte[] bytes = random.apply(SECRET_BYTES);
    if (bytes.length != SECRET_BYTES) {
      throw new IllegalStateException("a key needs 32 random bytes, got " + bytes.length);
    }
    return new Credential("sk-" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
  }

  /** Returns the hashes that keys had before they were rotated. */
  KeyAliases aliases() {
    return aliases;
  }

  /**
   * A key that was just created or rotated.
   *
   * @param plaintext to be shown once; it is not stored and cannot be read again
   */
  public record Created(ApiKey key, Credential plaintext) {}

  /**
   * Creates a key.
   *
   * @param workspace the id of an existing workspace
   * @param actor who creates it; the new key is for the same user unless the values name another
   * @throws io.strowger.spi.error.GatewayException 400 when the workspace was deleted meanwhile;
   *     409 after too many concurrent changes
   */
  public Created create(Values requestedValues, String workspace, AuditActor actor) {
    Credential credential = newSecret(random);
    String user =
        Objects.requireNonNullElse(requestedValues.text("creator_user_id"), actor.creator());
    Values values =
        requestedValues
            .with("label", Json.of(KeyMask.of(credential.reveal())))
            .with("creator_user_id", Json.of(user));
    Document document =
        repository.newDocument(
            Authenticator.id(credential).hex(),
            workspace,
            KeyDocument.markManagedOverHttp(KeyTable.TYPE.body(values)));
    List<Write> writes =
        List.of(new Write.Insert(document), entry(actor, AuditAction.KEY_CREATE, document, null));
    if (!workspaceGuard.writeWithin(workspace, writes)) {
      throw GatewayError.of(ErrorCode.CONFLICT).toException(); // another key has the same 256 bits
    }
    return new Created(KeyDocument.read(document), credential);
  }

  private Write entry(
      AuditActor actor, AuditAction action, Document key, @Nullable Document before) {
    return audit.entry(actor, action, KeyTable.TYPE, before, key);
  }

  private Document newFileDocument(KeyConfig fileKey) {
    Usd limit = fileKey.limit();
    Json.Obj body =
        Json.object()
            .put("label", fileKey.label())
            .put("management", fileKey.isManagement())
            .put("creator_user_id", Caller.DEFAULT_USER)
            .put("name", fileKey.name())
            .put("limit", limit == null ? Json.NULL : limit.json())
            .put("limit_reset", fileKey.reset().name().toLowerCase(Locale.ROOT))
            .put("include_byok_in_limit", false)
            .build();
    return repository.newDocument(
        fileKey.id().hex(), DefaultWorkspace.ID, KeyDocument.markManagedByFile(body));
  }

  /**
   * The result of comparing a configuration file with the stored keys.
   *
   * @param writes the writes that create, enable and disable its keys
   * @param warnings one sentence for each setting of the file that has no effect
   */
  record FileSync(List<Write> writes, List<String> warnings) {}

  /**
   * Compares the keys of the configuration file with the stored keys. A key of the file is created
   * when it is first seen, disabled when the file no longer lists it, and enabled when it returns.
   * The file has no effect on a key that was changed over HTTP, and a deleted key stays deleted.
   *
   * @param actor who caused the file to be read
   */
  FileSync compareWithFile(List<KeyConfig> fileKeys, AuditActor actor) {
    var writes = new ArrayList<Write>();
    var warnings = new ArrayList<String>();
    // the hashes in the file, and the current hashes of the keys they name
    var listedHashes = new HashSet<String>();
    for (KeyConfig fileKey : fileKeys) {
      Document key = syncListedKey(fileKey, actor, writes, warnings);
      listedHashes.add(fileKey.id().hex());
      if (key != null) {
        listedHashes.add(key.id());
      }
    }
    boolean disablesManagementKey = false;
    for (Document seed : seededKeys.findAll(null)) {
      Document key = listedHashes.contains(seed.id()) ? null : findDocument(seed.id());
      boolean isNew =
          key != null && listedHashes.add(key.id()); // one key may have had several hashes
      if (key != null && isNew && !key.hidden()) {
        disablesManagementKey |= disableUnlistedKey(key, actor, writes, warnings);
      }
    }
    if (disablesManagementKey) {
      writes.add(managementGuard.guardVersionWrite());
    }
    return new FileSync(writes, warnings);
  }

  /** Adds the writes for a key in the file; returns the key as it was before, null if none. */
  private @Nullable Document syncListedKey(
      KeyConfig fileKey, AuditActor actor, List<Write> writes, List<String> warnings) {
    String hash = fileKey.id().hex();
    boolean wasSeeded = seededKeys.find(hash) != null; // before the key: both are written together
    Document key = findDocument(hash);
    if (!wasSeeded) {
      writes.add(new Write.Insert(seededKeys.newDocument(hash, "", Json.Obj.EMPTY)));
    }
    if (key != null) {
      if (key.hidden() && KeyDocument.isManagedByFile(key)) {
        setEnabled(key, true, actor, writes);
      }
      warnings.addAll(ineffectiveSettings(fileKey, key));
    } else if (!wasSeeded) {
      Document document = newFileDocument(fileKey);
      writes.add(new Write.Insert(document));
      writes.add(entry(actor, AuditAction.KEY_CREATE, document, null));
    } else {
      warnings.add(
          name(fileKey)
              + " was deleted over HTTP and stays so; take it out of the file, or give it another"
              + " secret");
    }
    return key;
  }

  /** Returns one sentence for each setting of the file that has no effect on an existing key. */
  private static List<String> ineffectiveSettings(KeyConfig fileKey, Document key) {
    var sentences = new ArrayList<String>();
    if (!key.id().equals(fileKey.id().hex())) {
      sentences.add(
          name(fileKey)
              + " was given another secret over HTTP; the one in the file works at most until the"
              + " overlap ends: put the new secret into the file, or take the key out");
    }
    if (key.hidden() && !KeyDocument.isManagedByFile(key)) {
      sentences.add(
          name(fileKey)
              + " is disabled and stays so, because it was disabled over HTTP: enable it with"
              + " PATCH /keys/"
              + key.id());
    }
    List<String> members = differingMembers(fileKey, KeyDocument.read(key));
    if (!members.isEmpty()) {
      sentences.add(
          ("keys: \"%s\" (%s): %s no effect, because the file only creates a key: change the key"
                  + " with PATCH /keys/%s")
              .formatted(
                  fileKey.name(),
                  fileKey.label(),
                  String.join(", ", members) + (members.size() == 1 ? " has" : " have"),
                  key.id()));
    }
    return sentences;
  }

  private static List<String> differingMembers(KeyConfig fileKey, ApiKey key) {
    KeyLimit limit = key.setting().limit();
    var members = new ArrayList<String>();
    if (!fileKey.name().equals(key.setting().name())) {
      members.add("name");
    }
    if (fileKey.isManagement() != key.origin().isManagement()) {
      members.add("management");
    }
    if (!Objects.equals(fileKey.limit(), limit.amount())) {
      members.add("limit");
    }
    if (fileKey.reset() != limit.reset()) {
      members.add("limit_reset");
    }
    return members;
  }

  /** Adds the writes for a key the file omits; returns whether a management key is disabled. */
  private boolean disableUnlistedKey(
      Document key, AuditActor actor, List<Write> writes, List<String> warnings) {
    ApiKey apiKey = KeyDocument.read(key);
    if (!KeyDocument.isManagedByFile(key)) {
      warnings.add(
          name(apiKey.setting().name(), apiKey.origin().label())
              + " is no longer in the file and stays enabled, because it was created or changed"
              + " over HTTP");
      return false;
    }
    setEnabled(key, false, actor, writes);
    return apiKey.origin().isManagement();
  }

  private void setEnabled(Document key, boolean enabled, AuditActor actor, List<Write> writes) {
    Document next = KeyDocument.withEnabled(key, repository.now(), enabled);
    writes.add(new Write.Replace(next));
    writes.add(entry(actor, AuditAction.KEY_UPDATE, next, key));
  }

  private static String name(KeyConfig fileKey) {
    return name(fileKey.name(), fileKey.label());
  }

  private static String name(String name, String label) {
    return "keys: \"" + name + "\" (" + label + ")";
  }

  /**
   * Returns the key with this hash, which is its current hash or a former one.
   *
   * @return the key; null when there is none
   */
  public @Nullable ApiKey find(KeyId hash) {
    Document document = findDocument(hash.hex());
    return document == null ? null : KeyDocument.read(document);
  }

  private @Nullable Document findDocument(String hash) {
    Document document = repository.find(hash);
    if (document != null) {
      return document;
    }
    String current = aliases.currentFromStore(hash);
    return current == null ? null : repository.find(current);
  }

  /**
   * Returns a page of the keys, newest first.
   *
   * @param workspace the id of the workspace; null for all
   * @param includeDisabled whether to include disabled keys
   */
  public List<ApiKey> list(
      @Nullable String workspace, boolean includeDisabled, long offset, int limit) {
    return repository
        .list(workspace, includeDisabled, DocumentStore.Order.NEWEST_FIRST, offset, limit)
        .documents()
        .stream()
        .map(KeyDocument::read)
        .toList();
  }

  /**
   * Changes a key. Concurrent changes do not overwrite each other.
   *
   * @return the key after the change; null when there is none
   * @throws io.strowger.spi.error.GatewayException 400 when the last management key that works
   *     would be disabled
   */
  public @Nullable ApiKey update(KeyId hash, Values change, AuditActor actor) {
    Document changed =
        applyChange(
            hash,
            key -> {
              Document next = KeyDocument.next(key, repository.now(), change);
              if (next.equals(key)) {
                return new ChangeResult(key, List.of());
              }
              var writes = new ArrayList<Write>();
              writes.add(new Write.Replace(next));
              writes.add(entry(actor, AuditAction.KEY_UPDATE, next, key));
              writes.addAll(next.hidden() ? managementGuard.writesForRemoval(key) : List.of());
              return new ChangeResult(next, writes);
            });
    return changed == null ? null : KeyDocument.read(changed);
  }

  /**
   * Gives a key another plaintext, and with it another hash. It stays the same key: its spending,
   * its limit and its guardrail are kept, and its former hashes still name it.
   *
   * @param overlap how long its former plaintexts stay valid at most; not negative
   * @return the key after the change; null when there is none
   */
  public @Nullable Created rotate(KeyId hash, Duration overlap, AuditActor actor) {
    Credential credential = newSecret(random);
    KeyId next = Authenticator.id(credential);
    Document rotated =
        applyChange(
            hash,
            key -> {
              Instant now = repository.now();
              String label = KeyMask.of(credential.reveal());
              Document document = KeyDocument.rotated(key, next, label, now, now.plus(overlap));
              var writes = new ArrayList<Write>();
              writes.add(new Write.Remove(KIND, key.id(), key.version()));
              writes.add(new Write.Insert(document));
              writes.addAll(aliases.rotation(KeyDocument.read(key), next.hex(), now));
              AuditChanges auditChanges =
                  AuditChanges.between(key, document, KeyTable.TYPE)
                      .and("hash", Json.of(key.id()), Json.of(document.id()))
                      .and("overlap_seconds", Json.NULL, Json.of(overlap.toSeconds()));
              writes.add(
                  audit.entry(
                      actor, AuditAction.KEY_ROTATE, AuditLog.Subject.of(document), auditChanges));
              return new ChangeResult(document, writes);
            });
    return rotated == null ? null : new Created(KeyDocument.read(rotated), credential);
  }

  /**
   * Deletes a key and its guardrail assignment; its books stay. A key of the configuration file is
   * not created again at the next start.
   *
   * @return false when there is none
   * @throws io.strowger.spi.error.GatewayException 400 when it is the last management key that
   *     works
   */
  public boolean delete(KeyId hash, AuditActor actor) {
    return applyChange(hash, key -> new ChangeResult(key, removals(key, actor))) != null;
  }

  private List<Write> removals(Document key, AuditActor actor) {
    ApiKey apiKey = KeyDocument.read(key);
    var writes = new ArrayList<Write>();
    writes.add(new Write.Remove(KIND, key.id(), key.version()));
    writes.addAll(aliases.removals(apiKey));
    Document assigned = assignments.find(apiKey.id().hex());
    if (assigned != null) {
      writes.add(
          new Write.Remove(GuardrailAssignments.KEY_KIND, assigned.id(), assigned.version()));
    }
    writes.addAll(managementGuard.writesForRemoval(key));
    writes.add(audit.removal(actor, AuditAction.KEY_DELETE, key));
    return writes;
  }

  /**
   * Returns the write of an unchanged next version of a key, to be made together with documents
   * that refer to the key, so that a concurrent deletion of the key fails and is retried.
   *
   * @param hash a hash of the key, current or former
   * @throws io.strowger.spi.error.GatewayException 404 when there is no such key
   */
  Write unchangedVersion(String hash) {
    Document key = findDocument(hash);
    if (key == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    Json.Obj body =
        KeyDocument.isManagedByFile(key) ? KeyDocument.markManagedByFile(key.body()) : key.body();
    return new Write.Replace(key.next(key.updatedAt(), body));
  }

  /**
   * The writes of a change, and the key after the change; nothing is written when the key stays as
   * it was.
   */
  private record ChangeResult(Document result, List<Write> writes) {}

  /**
   * Applies a change to a key, and repeats it when the key was changed concurrently.
   *
   * @param change returns the writes; may be called more than once
   * @return the key after the change; null when there is none
   */
  private @Nullable Document applyChange(KeyId hash, Function<Document, ChangeResult> change) {
    for (int i = 0; i < MAX_TRIES; i++) {
      Document key = findDocument(hash.hex());
      if (key == null) {
        return null;
      }
      ChangeResult result = change.apply(key);
      if (result.writes().isEmpty() || watch.write(result.writes())) {
        return result.result();
      }
    }
    throw GatewayError.of(ErrorCode.CONFLICT).toException();
  }
}
