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
import io.strowger.core.resource.KeyLabel;
import io.strowger.core.resource.KeyLimit;
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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Creates, changes and removes the keys of the account; the next request sees a change. Safe on any
 * thread; every method may throw {@link io.strowger.spi.store.StoreUnavailableException}. Contract:
 * "API key".
 */
public final class Keys {
  static final String KIND = "key";

  /** Documents that record, by hash, which keys of the file were created; they outlive the keys. */
  private static final String SEEDED = "key-seeded";

  /** The most attempts at a write; concurrent changes alone do not make so many fail. */
  private static final int TRIES = 1_000;

  private final DocumentRepository repository;
  private final StoreWatch watch;
  private final DocumentRepository assignments;
  private final DocumentRepository seeded;
  private final KeyAliases aliases;
  private final ManagementGuard guard;
  private final WorkspaceGuard workspaceGuard;
  private final AuditLog audit;
  private final KeySecrets secrets;

  /**
   * @param watch the watch over the documents of keys
   * @param secrets creates plaintexts
   */
  public Keys(StoreWatch watch, Ambient ambient, KeySecrets secrets) {
    this.watch = Objects.requireNonNull(watch, "watch");
    this.repository = new DocumentRepository(watch, KIND, ambient);
    this.assignments = new DocumentRepository(watch, GuardrailAssignments.OF_KEYS, ambient);
    this.seeded = new DocumentRepository(watch, SEEDED, ambient);
    this.aliases = new KeyAliases(new DocumentRepository(watch, KeyAliases.KIND, ambient));
    this.guard = new ManagementGuard(watch, ambient, repository);
    this.workspaceGuard = new WorkspaceGuard(watch, ambient);
    this.audit = new AuditLog(ambient);
    this.secrets = Objects.requireNonNull(secrets, "secrets");
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
   * @param by who creates it; the new key is for the same user unless the values name another
   */
  public Created create(Values asked, String workspace, AuditActor by) {
    var credential = new Credential(secrets.next());
    String user = Objects.requireNonNullElse(asked.text("creator_user_id"), by.creator());
    Values values =
        asked
            .with("label", Json.of(KeyLabel.of(credential.reveal())))
            .with("creator_user_id", Json.of(user));
    Document document =
        repository.newDocument(
            Authenticator.id(credential).hex(),
            workspace,
            KeyDocument.ofHttp(KeyTable.TYPE.body(values)));
    List<Write> writes =
        List.of(new Write.Insert(document), entry(by, AuditAction.KEY_CREATE, document, null));
    if (!workspaceGuard.add(workspace, writes)) {
      throw GatewayError.of(ErrorCode.CONFLICT).toException(); // another key has the same 256 bits
    }
    return new Created(KeyDocument.read(document), credential);
  }

  private Write entry(AuditActor by, AuditAction action, Document key, @Nullable Document before) {
    return audit.entry(by, action, KeyTable.TYPE, before, key);
  }

  private Document made(KeyConfig given) {
    Usd limit = given.limit();
    Json.Obj body =
        Json.object()
            .put("label", given.label())
            .put("management", given.management())
            .put("creator_user_id", Caller.DEFAULT_USER)
            .put("name", given.name())
            .put("limit", limit == null ? Json.NULL : limit.json())
            .put("limit_reset", given.reset().name().toLowerCase(Locale.ROOT))
            .put("include_byok_in_limit", false)
            .build();
    return repository.newDocument(given.id().hex(), DefaultWorkspace.ID, KeyDocument.ofFile(body));
  }

  /**
   * The result of comparing a configuration file with the stored keys.
   *
   * @param writes the writes that create, enable and disable its keys
   * @param ignored one sentence for each setting of the file that has no effect
   */
  record FileKeys(List<Write> writes, List<String> ignored) {}

  /**
   * Compares the keys of the configuration file with the stored keys. A key of the file is created
   * when it is first seen, disabled when the file no longer lists it, and enabled when it returns.
   * The file has no effect on a key that was changed over HTTP, and a deleted key stays deleted.
   *
   * @param by who caused the file to be read
   */
  FileKeys syncWithFile(List<KeyConfig> file, AuditActor by) {
    var writes = new ArrayList<Write>();
    var ignored = new ArrayList<String>();
    var seen = new HashSet<String>(); // hashes of the file, and those its keys have now
    for (KeyConfig given : file) {
      Document key = listed(given, by, writes, ignored);
      seen.add(given.id().hex());
      if (key != null) {
        seen.add(key.id());
      }
    }
    boolean managementLeft = false;
    for (Document made : seeded.all(null)) {
      Document key = seen.contains(made.id()) ? null : document(made.id());
      boolean isNew = key != null && seen.add(key.id()); // one key may have had several hashes
      if (key != null && isNew && !key.hidden()) {
        managementLeft |= unlisted(key, by, writes, ignored);
      }
    }
    if (managementLeft) {
      writes.add(guard.guardVersionWrite());
    }
    return new FileKeys(writes, ignored);
  }

  /** Adds the writes for a key in the file; returns the key as it was before, null if none. */
  private @Nullable Document listed(
      KeyConfig given, AuditActor by, List<Write> writes, List<String> ignored) {
    String hash = given.id().hex();
    boolean before = seeded.find(hash) != null; // before the key: both are written together
    Document key = document(hash);
    if (!before) {
      writes.add(new Write.Insert(seeded.newDocument(hash, "", Json.Obj.EMPTY)));
    }
    if (key != null) {
      if (key.hidden() && KeyDocument.isOfFile(key)) {
        enable(key, true, by, writes);
      }
      ignored.addAll(ignored(given, key));
    } else if (!before) {
      Document made = made(given);
      writes.add(new Write.Insert(made));
      writes.add(entry(by, AuditAction.KEY_CREATE, made, null));
    } else {
      ignored.add(
          name(given)
              + " was deleted over HTTP and stays so; take it out of the file, or give it another"
              + " secret");
    }
    return key;
  }

  /** Returns one sentence for each setting of the file that has no effect on an existing key. */
  private static List<String> ignored(KeyConfig given, Document key) {
    var sentences = new ArrayList<String>();
    if (!key.id().equals(given.id().hex())) {
      sentences.add(
          name(given)
              + " was given another secret over HTTP; the one in the file works until its overlap"
              + " ends at most, so put the new one there or take it out");
    }
    if (key.hidden() && !KeyDocument.isOfFile(key)) {
      sentences.add(
          name(given)
              + " is disabled and stays so, because that was decided over HTTP: enable it with"
              + " PATCH /keys/"
              + key.id());
    }
    List<String> members = differing(given, KeyDocument.read(key));
    if (!members.isEmpty()) {
      sentences.add(
          "keys: of \"%s\" (%s) %s has no effect, because a key of the file is made once: change it with PATCH /keys/%s"
              .formatted(given.name(), given.label(), String.join(", ", members), key.id()));
    }
    return sentences;
  }

  private static List<String> differing(KeyConfig given, ApiKey key) {
    KeyLimit limit = key.setting().limit();
    var members = new ArrayList<String>();
    if (!given.name().equals(key.setting().name())) {
      members.add("name");
    }
    if (given.management() != key.origin().management()) {
      members.add("management");
    }
    if (!Objects.equals(given.limit(), limit.amount())) {
      members.add("limit");
    }
    if (given.reset() != limit.reset()) {
      members.add("limit_reset");
    }
    return members;
  }

  /** Adds the writes for a key the file omits; returns whether a management key is disabled. */
  private boolean unlisted(Document key, AuditActor by, List<Write> writes, List<String> ignored) {
    ApiKey read = KeyDocument.read(key);
    if (!KeyDocument.isOfFile(key)) {
      ignored.add(
          name(read.setting().name(), read.origin().label())
              + " is not in the file any more and stays enabled, because it was made or changed"
              + " over HTTP");
      return false;
    }
    enable(key, false, by, writes);
    return read.origin().management();
  }

  private void enable(Document key, boolean enabled, AuditActor by, List<Write> writes) {
    Document next = KeyDocument.enabled(key, repository.now(), enabled);
    writes.add(new Write.Replace(next));
    writes.add(entry(by, AuditAction.KEY_UPDATE, next, key));
  }

  private static String name(KeyConfig given) {
    return name(given.name(), given.label());
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
    Document document = document(hash.hex());
    return document == null ? null : KeyDocument.read(document);
  }

  private @Nullable Document document(String hash) {
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
   * @param disabled whether to include disabled keys
   */
  public List<ApiKey> list(@Nullable String workspace, boolean disabled, long offset, int limit) {
    return repository
        .list(workspace, disabled, DocumentStore.Order.CREATED_LAST, offset, limit)
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
  public @Nullable ApiKey update(KeyId hash, Values change, AuditActor by) {
    Document changed =
        written(
            hash,
            key -> {
              Document next = KeyDocument.next(key, repository.now(), change);
              if (next.equals(key)) {
                return new Step(key, List.of());
              }
              var writes = new ArrayList<Write>();
              writes.add(new Write.Replace(next));
              writes.add(entry(by, AuditAction.KEY_UPDATE, next, key));
              writes.addAll(next.hidden() ? guard.writesForRemoval(key) : List.of());
              return new Step(next, writes);
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
  public @Nullable Created rotate(KeyId hash, Duration overlap, AuditActor by) {
    var credential = new Credential(secrets.next());
    KeyId next = Authenticator.id(credential);
    Document rotated =
        written(
            hash,
            key -> {
              Instant now = repository.now();
              String label = KeyLabel.of(credential.reveal());
              Document made = KeyDocument.rotated(key, next, label, now, now.plus(overlap));
              var writes = new ArrayList<Write>();
              writes.add(new Write.Remove(KIND, key.id(), key.version()));
              writes.add(new Write.Insert(made));
              writes.addAll(aliases.rotation(KeyDocument.read(key), next.hex(), now));
              AuditChanges auditChanges =
                  AuditChanges.between(key, made, KeyTable.TYPE)
                      .and("hash", Json.of(key.id()), Json.of(made.id()))
                      .and("overlap_seconds", Json.NULL, Json.of(overlap.toSeconds()));
              writes.add(
                  audit.entry(by, AuditAction.KEY_ROTATE, AuditLog.Subject.of(made), auditChanges));
              return new Step(made, writes);
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
  public boolean delete(KeyId hash, AuditActor by) {
    return written(hash, key -> new Step(key, removals(key, by))) != null;
  }

  private List<Write> removals(Document key, AuditActor by) {
    ApiKey read = KeyDocument.read(key);
    var writes = new ArrayList<Write>();
    writes.add(new Write.Remove(KIND, key.id(), key.version()));
    writes.addAll(aliases.removals(read));
    Document assigned = assignments.find(read.id().hex());
    if (assigned != null) {
      writes.add(new Write.Remove(GuardrailAssignments.OF_KEYS, assigned.id(), assigned.version()));
    }
    writes.addAll(guard.writesForRemoval(key));
    writes.add(audit.removal(by, AuditAction.KEY_DELETE, key));
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
    Document key = document(hash);
    if (key == null) {
      throw GatewayError.of(ErrorCode.NOT_FOUND).toException();
    }
    Json.Obj body = KeyDocument.isOfFile(key) ? KeyDocument.ofFile(key.body()) : key.body();
    return new Write.Replace(key.next(key.updatedAt(), body));
  }

  /** The writes of a change, empty when there is none, and the key after it. */
  private record Step(Document result, List<Write> writes) {}

  /**
   * Applies a change to a key, and repeats it when the key was changed concurrently.
   *
   * @param change returns the writes; may be called more than once
   * @return the key after the change; null when there is none
   */
  private @Nullable Document written(KeyId hash, Function<Document, Step> change) {
    for (int i = 0; i < TRIES; i++) {
      Document key = document(hash.hex());
      if (key == null) {
        return null;
      }
      Step step = change.apply(key);
      if (step.writes().isEmpty() || watch.write(step.writes())) {
        return step.result();
      }
    }
    throw GatewayError.of(ErrorCode.CONFLICT).toException();
  }
}
