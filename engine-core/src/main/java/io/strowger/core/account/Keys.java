package io.strowger.core.account;

import io.strowger.core.account.ApiKey.Origin;
import io.strowger.core.account.ApiKey.Setting;
import io.strowger.core.config.KeyConfig;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.resource.KeyCreate;
import io.strowger.core.resource.KeyLabel;
import io.strowger.core.resource.KeyLimit;
import io.strowger.core.resource.KeyUpdate;
import io.strowger.core.store.Shelf;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.store.Tenancy;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.provider.Credential;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.spi.store.KeyId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of the account: made, changed and removed here, and seen by the next request. Safe on
 * any thread; every method may throw {@link io.strowger.spi.store.StoreUnavailableException}.
 * Contract: "API key".
 */
public final class Keys {
  static final String KIND = "key";

  /** Keys of the configuration file that were made once, by hash; they outlive them. */
  private static final String SEEDED = "key-seeded";

  private static final Logger log = LoggerFactory.getLogger(Keys.class);

  private final Shelf shelf;
  private final StoreWatch watch;
  private final Shelf assignments;
  private final Shelf seeded;
  private final Tenancy tenancy;
  private final KeySecrets secrets;

  /**
   * @param watch over the documents of keys
   * @param secrets makes plaintexts
   */
  public Keys(StoreWatch watch, Ambient ambient, KeySecrets secrets) {
    this.watch = Objects.requireNonNull(watch, "watch");
    this.shelf = new Shelf(watch, KIND, ambient);
    this.assignments = new Shelf(watch, Assignments.OF_KEYS, ambient);
    this.seeded = new Shelf(watch, SEEDED, ambient);
    this.tenancy = new Tenancy(watch, ambient);
    this.secrets = Objects.requireNonNull(secrets, "secrets");
  }

  /**
   * A key that was just made.
   *
   * @param plaintext to be told once, and to be had from nowhere afterwards
   */
  public record Created(ApiKey key, Credential plaintext) {}

  /**
   * Makes a key for inference.
   *
   * @param workspace its id; there is one
   * @param creator who asks; the key is made for whom that key was made for, unless it is said
   */
  public Created create(KeyCreate asked, String workspace, Caller creator) {
    String plaintext = secrets.next();
    String user = asked.creatorUserId();
    var origin =
        new Origin(
            KeyLabel.of(plaintext),
            false,
            workspace,
            user == null ? creator.user() : user,
            KeyDocument.external(asked.external()),
            asked.expiresAt());
    var credential = new Credential(plaintext);
    Document document =
        document(Accounts.id(credential), origin, new Setting(asked.name(), false, asked.limit()));
    if (!tenancy.add(workspace, List.of(new Write.Insert(document)))) {
      throw GatewayError.of(ErrorCode.CONFLICT).toException(); // somebody guessed 256 bits
    }
    return new Created(KeyDocument.read(document), credential);
  }

  /** Makes a key of the configuration file, the first time only: then it is as it became. */
  void seed(KeyConfig given) {
    String hash = given.id().hex();
    boolean before = seeded.find(hash) != null; // looked at first: it comes with the key
    boolean there = shelf.find(hash) != null;
    if (!before) {
      var writes = new ArrayList<Write>();
      writes.add(new Write.Insert(seeded.fresh(hash, "", Json.Obj.EMPTY)));
      if (!there) {
        writes.add(new Write.Insert(document(given)));
      }
      watch.write(writes); // another node that starts now may be faster, and is as good
    } else if (!there) {
      log.warn(
          "the key \"{}\" ({}) of the configuration was deleted and stays so; take it out of the"
              + " file, or give it another secret",
          given.name(),
          given.label());
    }
  }

  private Document document(KeyConfig given) {
    var origin =
        new Origin(
            given.label(),
            given.management(),
            DefaultWorkspace.ID,
            Caller.DEFAULT_USER,
            null,
            null);
    var limit = new KeyLimit(given.limit(), given.reset(), false);
    return document(given.id(), origin, new Setting(given.name(), false, limit));
  }

  private Document document(KeyId id, Origin origin, Setting setting) {
    return shelf.fresh(id.hex(), origin.workspaceId(), KeyDocument.body(origin, setting));
  }

  /**
   * @return null when there is none
   */
  public @Nullable ApiKey find(KeyId id) {
    Document document = shelf.find(id.hex());
    return document == null ? null : KeyDocument.read(document);
  }

  /**
   * A part of the keys, the newest first.
   *
   * @param workspace null: of all
   * @param disabled those that are disabled as well
   */
  public List<ApiKey> list(@Nullable String workspace, boolean disabled, long offset, int limit) {
    return shelf
        .list(workspace, disabled, DocumentStore.Order.CREATED_LAST, offset, limit)
        .documents()
        .stream()
        .map(KeyDocument::read)
        .toList();
  }

  /**
   * Changes a key. Of two changes at once neither is lost.
   *
   * @return the key after it; null when there is none
   */
  public @Nullable ApiKey update(KeyId id, KeyUpdate change) {
    Document changed =
        shelf.change(
            id.hex(),
            (current, at) ->
                KeyDocument.next(current, at, over(KeyDocument.read(current).setting(), change)));
    return changed == null ? null : KeyDocument.read(changed);
  }

  private static Setting over(Setting current, KeyUpdate change) {
    String name = change.name().over(current.name());
    Boolean disabled = change.disabled().over(current.disabled());
    return new Setting(
        name == null ? current.name() : name,
        disabled == null ? current.disabled() : disabled,
        change.over(current.limit()));
  }

  /**
   * Removes a key and frees it of its guardrail; its books stay. One of the configuration file does
   * not come back with the next start.
   *
   * @return false when there is none
   */
  public boolean delete(KeyId id) {
    String hash = id.hex();
    while (true) {
      Document key = shelf.find(hash);
      if (key == null) {
        return false;
      }
      var writes = new ArrayList<Write>();
      writes.add(new Write.Remove(KIND, hash, key.version()));
      Document assigned = assignments.find(hash);
      if (assigned != null) {
        writes.add(new Write.Remove(Assignments.OF_KEYS, hash, assigned.version()));
      }
      if (watch.write(writes)) {
        return true;
      }
    }
  }
}
