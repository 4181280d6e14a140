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

@DisplayName("What belongs to a workspace")
class WorkspaceGuardTest {
  private static final String HOME = "w";

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final StoreWatch watch = new StoreWatch(new MemoryDocuments(), ambient);
  private final WorkspaceGuard workspaceGuard = new WorkspaceGuard(watch, ambient);
  private final DocumentRepository homes = new DocumentRepository(watch, "home", ambient);
  private final DocumentRepository things = new DocumentRepository(watch, "thing", ambient);

  private void open() {
    Document home = homes.newDocument(HOME, "", Json.Obj.EMPTY);
    watch.write(List.of(new Write.Insert(home), workspaceGuard.newGuardDocument(HOME)));
  }

  private boolean add(String thing) {
    return workspaceGuard.add(
        HOME, List.of(new Write.Insert(things.newDocument(thing, HOME, Json.Obj.EMPTY))));
  }

  private List<Write> removals() {
    var writes = new ArrayList<Write>();
    for (Document home : homes.findAll(null)) {
      writes.add(new Write.Remove("home", home.id(), home.version()));
    }
    for (Document thing : things.findAll(HOME)) {
      writes.add(new Write.Remove("thing", thing.id(), thing.version()));
    }
    return writes;
  }

  private long count() {
    return things.list(HOME, true, Order.OLDEST_FIRST, 0, 1).total();
  }

  @Test
  @DisplayName("goes with it, also what came while it was being removed")
  void late() {
    open();
    add("early");
    var asked = new ArrayList<Long>();
    boolean removed =
        workspaceGuard.remove(
            HOME,
            () -> {
              List<Write> seen = removals();
              if (asked.isEmpty()) {
                assertThat(add("late")).isTrue();
              }
              asked.add(count());
              return seen;
            });
    assertThat(removed).isTrue();
    assertThat(asked).as("it was looked at again").containsExactly(2L, 2L);
    assertThat(count()).isZero();
  }

  @Test
  @DisplayName("is not written when the workspace is gone: 400, as for one that never was")
  void gone() {
    open();
    workspaceGuard.remove(HOME, this::removals);
    assertThatThrownBy(() -> add("late"))
        .isInstanceOf(GatewayException.class)
        .hasMessageContaining("The workspace was deleted meanwhile")
        .extracting(gone -> ((GatewayException) gone).error().code())
        .isEqualTo(ErrorCode.INVALID_REQUEST);
    assertThat(count()).isZero();
  }

  @Test
  @DisplayName("is not written when there is such a document, and others moving in do not matter")
  void taken() {
    open();
    assertThat(add("one")).isTrue();
    assertThat(add("one")).isFalse();
    assertThat(add("two")).isTrue();
    Write thing = new Write.Insert(things.newDocument("three", "", Json.Obj.EMPTY));
    assertThat(workspaceGuard.add(DefaultWorkspace.ID, List.of(thing))).as("always there").isTrue();
    assertThat(workspaceGuard.add(DefaultWorkspace.ID, List.of(thing))).isFalse();
  }

  @RepeatedTest(20)
  @DisplayName("is never left behind, whoever comes while it is removed")
  void race() throws Exception {
    open();
    int crowd = 4;
    var start = new CyclicBarrier(crowd + 1);
    var all = new ArrayList<FutureTask<Boolean>>();
    for (int i = 0; i < crowd; i++) {
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
              return workspaceGuard.remove(HOME, this::removals);
            }));
    all.forEach(task -> new Thread(task).start());
    for (FutureTask<Boolean> task : all) {
      task.get();
    }
    assertThat(all.getLast().get()).isTrue();
    assertThat(count()).isZero();
  }
}
