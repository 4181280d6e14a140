package io.strowger.core.config;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A person who belongs to the account.
 *
 * @param id the id that keys (in {@code creator_user_id}) and guardrail assignments refer to
 * @param email null when it is not given
 * @param firstName null when it is not given
 * @param lastName null when it is not given
 */
public record AccountMember(
    String id,
    Role role,
    @Nullable String email,
    @Nullable String firstName,
    @Nullable String lastName) {
  private static final int MAX_LENGTH = 200;
  private static final String TEXT = "must be a string of 1 to " + MAX_LENGTH + " characters";
  private static final WordChoice<Role> ROLES =
      WordChoice.of(List.of(Role.values()), Role::wireName);

  /** The role of a member. It is informational and grants no permission. */
  public enum Role {
    ADMIN,
    MEMBER;

    /** Returns the word for the role in the file. */
    public String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public AccountMember {
    Objects.requireNonNull(id, "id");
    Objects.requireNonNull(role, "role");
  }

  /** Reads a member; returns null when it has no valid id. */
  static @Nullable AccountMember read(Section in, UniqueNames ids) {
    String id = in.text("id", TEXT, AccountMember::isText);
    in.require("id");
    boolean isUnique = ids.check(in, "id", id);
    Role role = in.choice("role", ROLES);
    String email = in.text("email", TEXT, AccountMember::isText);
    String first = in.text("first_name", TEXT, AccountMember::isText);
    String last = in.text("last_name", TEXT, AccountMember::isText);
    return id == null || !isUnique
        ? null
        : new AccountMember(id, role == null ? Role.MEMBER : role, email, first, last);
  }

  private static boolean isText(String text) {
    return !text.isEmpty() && text.length() <= MAX_LENGTH;
  }
}
