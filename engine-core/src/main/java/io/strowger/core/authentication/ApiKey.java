package io.strowger.core.authentication;

import io.strowger.core.ledger.Budget;
import io.strowger.core.ledger.Payer;
import io.strowger.core.resource.KeyLimit;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.KeyId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key as it is kept. Holds no plaintext. Contract: "API key"; resources fact sheet, section 3.
 *
 * @param id what stands for the key for as long as it exists: the SHA-256 of its first plaintext.
 *     Its spending is counted under it, and what names the key inside the gateway names this
 * @param secrets the plaintext it has now, and those it had, by their SHA-256
 * @param origin what is said when it is made
 * @param setting what an update changes
 * @param createdAt in whole microseconds
 * @param updatedAt null until the first update
 */
public record ApiKey(
    KeyId id,
    Secrets secrets,
    Origin origin,
    Setting setting,
    Instant createdAt,
    @Nullable Instant updatedAt) {
  public ApiKey {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(secrets, "secrets");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(setting, "setting");
    Objects.requireNonNull(createdAt, "createdAt");
  }

  /**
   * The plaintexts of a key, by their SHA-256.
   *
   * @param hash of the one it has now; its hex is the contract's {@code hash}
   * @param former those it had before, the last one first
   */
  public record Secrets(KeyId hash, List<Former> former) {
    public Secrets {
      Objects.requireNonNull(hash, "hash");
      former = List.copyOf(former);
    }
  }

  /**
   * A plaintext a key had before it was rotated.
   *
   * @param until from when on it is good for nothing
   */
  public record Former(KeyId hash, Instant until) {}

  /** The SHA-256 of the plaintext it has now; its hex is the contract's {@code hash}. */
  public KeyId hash() {
    return secrets.hash();
  }

  /**
   * Returns from when on a plaintext of this key is good for nothing, expiry included; null: never.
   *
   * @param hash of the plaintext
   */
  public @Nullable Instant endOf(KeyId hash) {
    Instant expires = origin.expiresAt();
    if (hash.equals(secrets.hash())) {
      return expires;
    }
    Instant until =
        secrets.former().stream()
            .filter(former -> former.hash().equals(hash))
            .map(Former::until)
            .findFirst()
            .orElse(Instant.EPOCH);
    return expires != null && expires.isBefore(until) ? expires : until;
  }

  /** Returns whether it is a management key that is enabled and has not expired. */
  public boolean isActiveManagementKey(Instant at) {
    Instant expires = origin.expiresAt();
    return origin.management() && !setting.disabled() && (expires == null || at.isBefore(expires));
  }

  /**
   * What is said of a key when it is made.
   *
   * @param label the plaintext it has now, masked
   * @param management acts on the account and cannot ask for inference; false: the other way round
   * @param workspaceId a UUID
   * @param creatorUserId whom it was made for
   * @param external null when no partner is involved
   * @param expiresAt from when on it is good for nothing; null: never
   */
  public record Origin(
      String label,
      boolean management,
      String workspaceId,
      String creatorUserId,
      @Nullable External external,
      @Nullable Instant expiresAt) {
    public Origin {
      Objects.requireNonNull(label, "label");
      Objects.requireNonNull(workspaceId, "workspaceId");
      Objects.requireNonNull(creatorUserId, "creatorUserId");
    }
  }

  /**
   * Whom a key belongs to at a partner.
   *
   * @param user the partner's own name for the user
   * @param apiKey SHA-256 of the partner's BYOK key; never returned; null for none
   */
  public record External(String user, @Nullable KeyId apiKey) {}

  /**
   * What an update changes.
   *
   * @param name for people
   * @param disabled good for nothing until it is enabled again
   */
  public record Setting(String name, boolean disabled, KeyLimit limit) {
    public Setting {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(limit, "limit");
    }
  }

  /** Who pays for what the key does, with the limit of its own. */
  public Payer payer() {
    KeyLimit limit = setting.limit();
    Usd amount = limit.amount();
    return new Payer(
        Payer.Kind.KEY,
        id.hex(),
        amount == null
            ? List.of()
            : List.of(new Budget(limit.reset(), amount, limit.includeByok())));
  }

  @Override
  public String toString() {
    return "key " + hash() + " \"" + setting.name() + '"';
  }
}
