package io.strowger.core.store;

import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.spi.ambient.Ambient;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayError;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore.Write;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes the contents of a workspace only while it exists, and removes them with it. Every
 * workspace that can be removed has a guard document, whose version changes whenever something is
 * added. A removal reads the guard document first, then the contents, and removes both in one write
 * or starts again. Safe on any thread; every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}.
 */
public final class WorkspaceGuard {
  private static final String GUARD_KIND = "workspace-door"; // as stored by earlier versions
  private static final int MAX_ATTEMPTS = 1_000;

  private final StoreWatch watch;
  private final DocumentRepository guards;

  public WorkspaceGuard(StoreWatch watch, Ambient ambient) {
    this.watch = watch;
    this.guards = new DocumentRepository(watch, GUARD_KIND, ambient);
  }

  /** Returns the write of the guard document of a new workspace, to be made with the workspace. */
  public Write newGuardDocument(String workspace) {
    return new Write.Insert(guards.newDocument(workspace, "", Json.Obj.EMPTY));
  }

  /**
   * Writes documents that belong to a workspace, in one transaction, if the workspace still exists.
   *
   * @return false when one of the documents was changed concurrently
   * @throws io.strowger.spi.error.GatewayException 400 when the workspace no longer exists; 409
   *     after too many concurrent changes of the workspace
   */
  public boolean writeWithin(String workspace, List<Write> writes) {
    if (workspace.equals(DefaultWorkspace.ID)) {
      return watch.write(writes);
    }
    Document guard = guards.find(workspace);
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
      if (guard == null) {
        throw GatewayError.of(ErrorCode.INVALID_REQUEST, "The workspace was deleted meanwhile")
            .toException();
      }
      List<Write> allWrites = new ArrayList<>(writes);
      allWrites.add(new Write.Replace(guard.next(guards.now(), Json.Obj.EMPTY)));
      if (watch.write(allWrites)) {
        return true;
      }
      Document previous = guard;
      guard = guards.find(workspace);
      if (guard != null && guard.version() == previous.version()) {
        return false;
      }
    }
    throw GatewayError.of(ErrorCode.CONFLICT).toException();
  }

  /** Lists what is removed with a workspace. */
  @FunctionalInterface
  public interface Contents {
    /**
     * Returns the writes that remove the workspace and its contents.
     *
     * @return the removals; null when the workspace does not exist
     * @throws io.strowger.spi.error.GatewayException when the workspace may not be removed
     */
    @Nullable List<Write> removals();
  }

  /**
   * Removes a workspace and everything in it.
   *
   * @param contents called again whenever something was added or changed concurrently
   * @return false when the workspace does not exist
   */
  public boolean remove(String workspace, Contents contents) {
    for (int i = 0; i < MAX_ATTEMPTS; i++) {
      Document guard = guards.find(workspace); // before its contents
      List<Write> removals = contents.removals();
      if (removals == null) {
        return false;
      }
      List<Write> allWrites = new ArrayList<>(removals);
      if (guard != null) {
        allWrites.add(new Write.Remove(GUARD_KIND, workspace, guard.version()));
      }
      if (watch.write(allWrites)) {
        return true;
      }
    }
    throw GatewayError.of(ErrorCode.CONFLICT).toException();
  }
}
