package io.strowger.core.account;

import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.core.store.Shelf;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The workspaces of the account. Resources fact sheet, section 4. Safe on any thread. */
public final class Workspaces {
  static final String KIND = "workspace";

  private final Shelf shelf;

  public Workspaces(Shelf shelf) {
    this.shelf = Objects.requireNonNull(shelf, "shelf");
  }

  /**
   * The id of a workspace there is, as it is kept.
   *
   * @param given in any case
   * @return null when there is none
   */
  public @Nullable String known(String given) {
    String id = given.toLowerCase(Locale.ROOT);
    boolean there = id.equals(DefaultWorkspace.ID) || id.length() == 36 && shelf.find(id) != null;
    return there ? id : null;
  }
}
