package io.strowger.core.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.memory.MemoryDocuments;
import io.strowger.core.resource.DefaultWorkspace;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.json.Json;
import io.strowger.spi.store.Document;
import io.strowger.spi.store.DocumentStore.Order;
import io.strowger.spi.store.DocumentStore.Write;
import io.strowger.tck.TestAmbient;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

@DisplayName("Documents of a workspace")
class WorkspaceGuardTest {
  private static final String WORKSPACE = "w";

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final StoreWatch watch = new StoreWatch(new MemoryDocuments(), ambient);
  private final WorkspaceGuard workspaceGuard = new WorkspaceGuard(watch, ambient);
  private final DocumentRepository workspaces = new DocumentRepository(watch, "workspace", ambient);
  private final DocumentRepository things = new DocumentRepository(watch, "thing", ambient);

  private void createWorkspace() {
    Document workspace = workspaces.newDocument(WORKSPACE, "", Json.Obj.EMPTY);
    watch.write(List.of(new Write.Insert(workspace), workspaceGuard.newGuardDocument(WORKSPACE)));
  }

  private boolean add(String thing) {
    return workspaceGuard.writeWithin(
        WORKSPACE, List.of(new Write.Insert(things.newDocument(thing, WORKSPACE, Json.Obj.EMPTY))));
  }

  private List<Write> removals() {
    var writes = new ArrayList<Write>();
    for (Document workspace : workspaces.findAll(null)) {
      writes.add(new Write.Remove("workspace", workspace.id(), workspace.version()));
    }
    for (Document thing : things.findAll(WORKSPACE)) {
      writes.add(new Write.Remove("thing", thing.id(), thing.version()));
    }
    return writes;
  }

  private long count() {
    return things.list(WORKSPACE, true, Order.OLDEST_FIRST, 0, 1).total();
  }

  @Test
  @DisplayName("are removed with it, even if they were added during its removal")
  void late() {
    createWorkspace();
    add("early");
    var counts = new ArrayList<Long>();
    boolean removed =
        workspaceGuard.remove(
            WORKSPACE,
            () -> {
              List<Write> seen = removals();
              if (counts.isEmpty()) {
                assertThat(add("late")).isTrue();
              }
              counts.add(count());
              return seen;
            });
    assertThat(removed).isTrue();
    assertThat(counts).as("the writes were collected twice").containsExactly(2L, 2L);
    assertThat(count()).isZero();
  }

  @Test
  @DisplayName("are not added when the workspace was deleted: 400, as for an unknown workspace")
  void gone() {
    createWorkspace();
    workspaceGuard.remove(WORKSPACE, this::removals);
    assertThatThrownBy(() -> add("late"))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("The workspace was deleted meanwhile")
        .extracting(gone -> ((GatewayException) gone).error().code())
        .isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(count()).isZero();
  }

  @Test
  @DisplayName("are not added twice, whatever else is added meanwhile")
  void taken() {
    createWorkspace();
    assertThat(add("one")).isTrue();
    assertThat(add("one")).isFalse();
    assertThat(add("two")).isTrue();
    Write thing = new Write.Insert(things.newDocument("three", "", Json.Obj.EMPTY));
    assertThat(workspaceGuard.writeWithin(DefaultWorkspace.ID, List.of(thing)))
        .as("the default workspace always exists")
        .isTrue();
    assertThat(workspaceGuard.writeWithin(DefaultWorkspace.ID, List.of(thing))).isFalse();
  }

  @RepeatedTest(20)
  @DisplayName("are never left behind, even if several threads add some during its removal")
  void race() throws Exception {
    createWorkspace();
    int writers = 4;
    var start = new CyclicBarrier(writers + 1);
    var all = new ArrayList<FutureTask<Boolean>>();
    for (int i = 0; i < writers; i++) {
      String name = "thing-" + i + "-";
      all.add(
          new FutureTask<>(
              () -> {
                start.await();
                for (int n = 0; n < 20; n++) {
                  try {
                    add(name + n);
                  } catch (GatewayException gone) {
                    return false;
                  }
                }
                return true;
              }));
    }
    all.add(
        new FutureTask<>(
            () -> {
              start.await();
              return workspaceGuard.remove(WORKSPACE, this::removals);
            }));
    all.forEach(task -> new Thread(task).start());
    for (FutureTask<Boolean> task : all) {
      task.get();
    }
    assertThat(all.getLast().get()).isTrue();
    assertThat(count()).isZero();
  }
}
