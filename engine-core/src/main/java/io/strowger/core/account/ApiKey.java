package io.strowger.core.account;

import io.strowger.core.resource.KeyLimit;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.store.Budget;
import io.strowger.spi.store.KeyId;
import io.strowger.spi.store.Payer;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A key as it is kept. Holds no plaintext. Contract: "API key"; resources fact sheet, section 3.
 *
 * @param id SHA-256 of the plaintext; its hex is the contract's {@code hash}
 * @param origin what never changes
 * @param setting what an update changes
 * @param createdAt in whole microseconds
 * @param updatedAt null until the first update
 */
public record ApiKey(
    KeyId id, Origin origin, Setting setting, Instant createdAt, @Nullable Instant updatedAt) {
  public ApiKey {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(setting, "setting");
    Objects.requireNonNull(createdAt, "createdAt");
  }

  /**
   * What is said of a key when it is made.
   *
   * @param label the plaintext masked
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
   * @param apiKey SHA-256 of the partner's own key; never returned; null for none
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
    return "key " + id + " \"" + setting.name() + '"';
  }
}
