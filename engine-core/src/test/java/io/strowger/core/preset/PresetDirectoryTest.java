package io.strowger.core.preset;

import static io.strowger.core.preset.TestPresets.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.audit.AuditActor;
import io.strowger.core.memory.MemoryDocuments;
import io.strowger.core.resource.NewPreset;
import io.strowger.core.store.StoreWatch;
import io.strowger.core.store.WorkspaceGuard;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("A directory of presets")
class PresetDirectoryTest {
  private static final String HERE = "here";
  private static final String SLUG = "writer";

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final MemoryDocuments documents = new MemoryDocuments();
  private final List<StoreWatch> watches = new ArrayList<>();
  private final PresetDirectory directory = directoryOnNewNode();

  /** Returns the preset directory of a new node on the shared store. */
  private PresetDirectory directoryOnNewNode() {
    var watch = new StoreWatch(documents, ambient);
    watches.add(watch);
    var workspaceGuard = new WorkspaceGuard(watch, ambient);
    documents.write(
        List.of(workspaceGuard.newGuardDocument(HERE), workspaceGuard.newGuardDocument("there")));
    return new PresetDirectory(watch, ambient);
  }

  @AfterEach
  void noThreads() {
    watches.forEach(StoreWatch::close);
    ambient.assertNoThreadsLeft();
  }

  private SavedPreset create(String slug, String config) {
    return directory.create(
        HERE, AuditActor.host("ann"), new NewPreset(slug, json(config), "Be brief."));
  }

  private static String model(@Nullable Preset preset) {
    return String.valueOf(Objects.requireNonNull(preset).config().text("model"));
  }

  @Proves("states.preset.create")
  @Test
  @DisplayName("creates a preset whose first version is designated")
  void first() {
    SavedPreset created = create(SLUG, "{'model':'a'}");
    assertThat(created.status()).isEqualTo(PresetStatus.ACTIVE);
    assertThat(created.statusUpdatedAt()).isNull();
    assertThat(created.createdAt()).isEqualTo(ambient.now()).isEqualTo(created.updatedAt());
    assertThat(created.designatedVersion().number()).isEqualTo(1);
    assertThat(created.designatedVersion().presetId()).isEqualTo(created.id());
    assertThat(List.of(created.id(), created.designatedVersion().id()))
        .doesNotHaveDuplicates()
        .allSatisfy(id -> assertThat(UUID.fromString(id).version()).isEqualTo(4));
    assertThat(directory.find(HERE, SLUG)).as("stored as it was returned").isEqualTo(created);
    assertThat(directory.version(HERE, SLUG, 1)).isEqualTo(created.designatedVersion());
  }

  @Proves({
    "preset.updated_at",
    "states.preset.version",
    "resources.preset.version",
    "resources.preset.PS-5"
  })
  @Test
  @DisplayName("PS-5: creates a new version of an existing preset, which inference uses at once")
  void next() {
    SavedPreset firstVersion = create(SLUG, "{'model':'a'}");
    assertThat(model(directory.findActive(HERE, SLUG))).isEqualTo("a");
    ambient.advance(Duration.ofSeconds(1));
    SavedPreset secondVersion =
        directory.create(
            HERE, AuditActor.host("bob"), new NewPreset(SLUG, json("{'model':'b'}"), null));
    assertThat(secondVersion.designatedVersion().number()).isEqualTo(2);
    assertThat(secondVersion.id()).isEqualTo(firstVersion.id());
    assertThat(secondVersion.createdAt()).isEqualTo(firstVersion.createdAt());
    assertThat(secondVersion.updatedAt()).isEqualTo(firstVersion.updatedAt().plusSeconds(1));
    assertThat(secondVersion.creatorUserId()).as("of the first version").isEqualTo("ann");
    assertThat(secondVersion.designatedVersion().creatorId()).isEqualTo("bob");
    Preset used = Objects.requireNonNull(directory.findActive(HERE, SLUG));
    assertThat(model(used)).isEqualTo("b");
    assertThat(used.systemPrompt()).isNull();
    assertThat(used.id()).isEqualTo(firstVersion.id());
    assertThat(directory.version(HERE, SLUG, 1)).isEqualTo(firstVersion.designatedVersion());
  }

  @Proves("resources.preset.list")
  @Test
  @DisplayName(
      "lists versions with the latest first and presets with the last changed first, in pages")
  void lists() {
    create("one", "{}");
    create("two", "{}");
    create("one", "{}"); // when the clock has not advanced
    assertThat(directory.list(HERE, 0, 10).items())
        .extracting(preset -> preset.key().slug())
        .containsExactly("one", "two");
    PresetDirectory.ListPage<SavedPreset> part = directory.list(HERE, 1, 1);
    assertThat(part.items()).hasSize(1);
    assertThat(part.total()).isEqualTo(2);
    IntStream.range(0, 12).forEach(i -> create("two", "{}"));
    PresetDirectory.ListPage<PresetVersion> versions =
        Objects.requireNonNull(directory.versions(HERE, "two", 2, 3));
    assertThat(versions.items()).extracting(PresetVersion::number).containsExactly(11, 10, 9);
    assertThat(versions.total()).isEqualTo(13);
  }

  @Test
  @DisplayName("keeps the presets of workspaces apart")
  void workspaces() {
    SavedPreset here = create(SLUG, "{'model':'a'}");
    assertThat(directory.find("there", SLUG)).isNull();
    assertThat(directory.findActive("there", SLUG)).isNull();
    assertThat(directory.versions("there", SLUG, 0, 10)).isNull();
    SavedPreset there =
        directory.create(
            "there", AuditActor.host("ann"), new NewPreset(SLUG, json("{'model':'b'}"), null));
    assertThat(there.id()).isNotEqualTo(here.id());
    assertThat(there.designatedVersion().number()).isEqualTo(1);
    assertThat(model(directory.findActive(HERE, SLUG))).isEqualTo("a");
    assertThat(directory.list(HERE, 0, 10).items()).containsExactly(here);
  }

  @Proves("resources.preset.status")
  @ParameterizedTest
  @EnumSource(
      value = PresetStatus.class,
      names = {"DISABLED", "ARCHIVED"})
  @DisplayName("shows a preset that is not active, but does not offer it to inference")
  void status(PresetStatus status) {
    create(SLUG, "{'model':'a'}");
    assertThat(directory.findActive(HERE, SLUG)).isNotNull();
    ambient.advance(Duration.ofSeconds(5));
    SavedPreset marked =
        Objects.requireNonNull(directory.setStatus(HERE, SLUG, status, AuditActor.host("ann")));
    assertThat(marked.statusUpdatedAt()).isEqualTo(ambient.now());
    assertThat(directory.findActive(HERE, SLUG)).isNull();
    assertThat(directory.find(HERE, SLUG)).isEqualTo(marked);
    assertThat(create(SLUG, "{}").status()).as("a new version keeps the status").isEqualTo(status);
    directory.setStatus(HERE, SLUG, PresetStatus.ACTIVE, AuditActor.host("ann"));
    assertThat(directory.findActive(HERE, SLUG)).isNotNull();
    assertThat(directory.setStatus(HERE, "nobody", status, AuditActor.host("ann"))).isNull();
  }

  @Test
  @DisplayName("sees a preset of another node after one poll of the store")
  void nodes() {
    PresetDirectory other = directoryOnNewNode();
    assertThat(other.findActive(HERE, SLUG)).isNull();
    create(SLUG, "{'model':'a'}");
    ambient.awaitSleepers(1);
    ambient.advance(StoreWatch.POLL_INTERVAL);
    ambient.awaitSleepers(1);
    assertThat(model(other.findActive(HERE, SLUG))).isEqualTo("a");
  }

  @Nested
  @DisplayName("under concurrent creation")
  class Concurrent {
    private static final int MANY = 100;

    @Proves({"preset-version.version", "operation.presets.errors", "open.68"})
    @Test
    @DisplayName(
        "numbers versions without gaps, loses none, and refuses all remaining creations with 409")
    void race() throws InterruptedException {
      List<SavedPreset> created = Collections.synchronizedList(new ArrayList<>());
      List<ErrorCode> refused = Collections.synchronizedList(new ArrayList<>());
      var start = new CountDownLatch(1);
      List<Thread> threads =
          IntStream.range(0, MANY)
              .mapToObj(i -> ambient.start("creator-" + i, () -> race(start, i, created, refused)))
              .toList();
      start.countDown();
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(created.size() + refused.size()).isEqualTo(MANY);
      assertThat(refused).allMatch(ErrorCode.CONFLICT::equals);
      assertThat(created)
          .extracting(preset -> preset.designatedVersion().number())
          .containsExactlyInAnyOrderElementsOf(
              IntStream.rangeClosed(1, created.size()).boxed().toList());
      assertThat(created).extracting(SavedPreset::id).containsOnly(created.getFirst().id());
      for (SavedPreset one : created) {
        assertThat(directory.version(HERE, SLUG, one.designatedVersion().number()))
            .isEqualTo(one.designatedVersion());
      }
      SavedPreset now = Objects.requireNonNull(directory.find(HERE, SLUG));
      assertThat(now.designatedVersion().number()).isEqualTo(created.size());
      assertThat(directory.version(HERE, SLUG, created.size() + 1)).isNull();
    }

    private void race(
        CountDownLatch start, int number, List<SavedPreset> created, List<ErrorCode> refused) {
      try {
        start.await();
        created.add(create(SLUG, "{'seed':" + number + "}"));
      } catch (GatewayException conflict) {
        refused.add(conflict.error().code());
      } catch (InterruptedException impossible) {
        throw new IllegalStateException(impossible);
      }
    }

    @Proves("error.409")
    @Test
    @DisplayName(
        "writes nothing for a creation that came too late, and refuses it with the contract's"
            + " message")
    void late() {
      var racing = new RacingDocuments(documents, () -> create(SLUG, "{'model':'faster'}"));
      var watch = new StoreWatch(racing, ambient);
      watches.add(watch);
      var slow = new PresetDirectory(watch, ambient);
      for (int version = 1; version <= 2; version++) {
        racing.arm();
        assertThatThrownBy(
                () ->
                    slow.create(
                        HERE, AuditActor.host("bob"), new NewPreset(SLUG, json("{}"), null)))
            .isInstanceOf(GatewayException.class)
            .hasMessageEndingWith("Resource conflict. Please try again later.");
        SavedPreset now = Objects.requireNonNull(slow.find(HERE, SLUG));
        assertThat(now.designatedVersion().number()).isEqualTo(version);
        assertThat(now.designatedVersion().config().text("model")).isEqualTo("faster");
      }
    }
  }
}
