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
 * What belongs to a workspace is written only while that is there, and goes with it. Every
 * workspace that can be removed has a door, a document whose version tells that somebody moved in:
 * whoever removes a workspace looks at the door first, at what is inside then, and takes both away
 * together or begins anew. Safe on any thread; every method may throw {@link
 * io.strowger.spi.store.StoreUnavailableException}.
 */
public final class WorkspaceGuard {
  private static final String DOORS = "workspace-door";
  private static final int TRIES = 1_000;

  private final StoreWatch watch;
  private final DocumentRepository doors;

  public WorkspaceGuard(StoreWatch watch, Ambient ambient) {
    this.watch = watch;
    this.doors = new DocumentRepository(watch, DOORS, ambient);
  }

  /** The door of a workspace that is about to be made, to be written with it. */
  public Write newGuardDocument(String workspace) {
    return new Write.Insert(doors.newDocument(workspace, "", Json.Obj.EMPTY));
  }

  /**
   * Writes what is to belong to a workspace.
   *
   * @return false when somebody else was faster with one of the documents
   * @throws io.strowger.spi.error.GatewayException 400 when the workspace is not there any more
   */
  public boolean add(String workspace, List<Write> writes) {
    if (workspace.equals(DefaultWorkspace.ID)) {
      return watch.write(writes);
    }
    Document door = doors.find(workspace);
    for (int i = 0; i < TRIES; i++) {
      if (door == null) {
        throw GatewayError.of(ErrorCode.INVALID_REQUEST, "The workspace was deleted meanwhile")
            .toException();
      }
      List<Write> all = new ArrayList<>(writes);
      all.add(new Write.Replace(door.next(doors.now(), Json.Obj.EMPTY)));
      if (watch.write(all)) {
        return true;
      }
      Document before = door;
      door = doors.find(workspace);
      if (door != null && door.version() == before.version()) {
        return false;
      }
    }
    throw GatewayError.of(ErrorCode.CONFLICT).toException();
  }

  /** Says what else goes with a workspace. */
  @FunctionalInterface
  public interface Contents {
    /**
     * @return null when the workspace is not there
     * @throws io.strowger.spi.error.GatewayException when it may not go
     */
    @Nullable List<Write> removals();
  }

  /**
   * Removes a workspace with all that is in it.
   *
   * @param contents asked anew whenever somebody moved in or something changed
   * @return false when the workspace is not there
   */
  public boolean remove(String workspace, Contents contents) {
    for (int i = 0; i < TRIES; i++) {
      Document door = doors.find(workspace); // before what is behind it
      List<Write> removals = contents.removals();
      if (removals == null) {
        return false;
      }
      List<Write> all = new ArrayList<>(removals);
      if (door != null) {
        all.add(new Write.Remove(DOORS, workspace, door.version()));
      }
      if (watch.write(all)) {
        return true;
      }
    }
    throw GatewayError.of(ErrorCode.CONFLICT).toException();
  }
}
