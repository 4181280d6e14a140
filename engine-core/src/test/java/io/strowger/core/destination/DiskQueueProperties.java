package io.strowger.core.destination;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.ambient.SecureBytes;
import io.strowger.core.config.SecretKey;
import io.strowger.core.secret.SecretCipher;
import io.strowger.tck.TestAmbient;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Compares the queue on disk with a list on which the same operations are done. */
class DiskQueueProperties {
  private static final int STEPS = 60;
  private static final long MAX_BYTES = 24_000; // about six calls in each file

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final SecretCipher cipher =
      new SecretCipher(() -> SecretKey.of(new byte[SecretKey.BYTES]), new SecureBytes());

  private final Map<String, Place> places = new HashMap<>(); // by the ids of the calls

  /** The place of a call: its file, and the offset of its end. */
  private record Place(Path file, long end) {}

  @Property(tries = 20, shrinking = ShrinkingMode.OFF)
  void sameAsAList(@ForAll long seed) throws IOException {
    var random = new Random(seed);
    Path root = Files.createTempDirectory("disk-queue");
    Path files = root.resolve("q");
    var model = new ArrayDeque<String>();
    places.clear();
    DiskQueue queue = open(files);
    try {
      for (int step = 0; step < STEPS; step++) {
        switch (random.nextInt(6)) {
          case 0, 1, 2 -> append(queue, files, "gen-" + step, random, model);
          case 3 -> deliver(queue, random, model);
          case 4 -> {
            queue.close();
            queue = open(files);
          }
          default -> {
            cut(files, random, model); // not closed first, as if the process was killed
            queue = open(files);
          }
        }
        assertThat(queue.calls()).as("seed " + seed).isEqualTo(model.size());
      }
      while (!model.isEmpty()) {
        deliver(queue, random, model);
      }
      assertThat(queue.read(1, 1).calls()).isEmpty();
      assertThat(files).doesNotExist();
      assertThat(queue.bytes()).isZero();
    } finally {
      queue.delete();
      Files.deleteIfExists(root);
    }
  }

  private DiskQueue open(Path files) {
    return new DiskQueue(
        files, "q", new DiskQueues.Options(MAX_BYTES, cipher, new SecureBytes()), ambient);
  }

  private void append(
      DiskQueue queue, Path files, String id, Random random, ArrayDeque<String> model)
      throws IOException {
    String prompt = "x".repeat(random.nextInt(400));
    long before = queue.bytes();
    int stored = queue.append(List.of(SampleTraces.full(id, prompt, ambient.now())), false);
    if (stored == 0) {
      assertThat(before).isGreaterThan(MAX_BYTES - 3_000);
      return;
    }
    assertThat(queue.bytes()).isLessThanOrEqualTo(MAX_BYTES);
    model.add(id);
    Path last = segments(files).getLast();
    places.put(id, new Place(last, Files.size(last)));
  }

  private static void deliver(DiskQueue queue, Random random, ArrayDeque<String> model) {
    DiskQueue.Batch batch = queue.read(1 + random.nextInt(8), 1 + random.nextInt(6_000));
    assertThat(batch.readFailed()).isFalse();
    assertThat(batch.calls().isEmpty()).isEqualTo(model.isEmpty());
    List<String> expected = model.stream().limit(batch.calls().size()).toList();
    assertThat(batch.calls().stream().map(call -> call.id())).containsExactlyElementsOf(expected);
    int count = random.nextInt(batch.calls().size() + 1);
    queue.acknowledge(batch, count);
    for (int i = 0; i < count; i++) {
      model.remove();
    }
  }

  /** Removes any number of bytes from the end of the last file, as an incomplete write would. */
  private void cut(Path files, Random random, ArrayDeque<String> model) throws IOException {
    List<Path> segments = segments(files);
    if (segments.isEmpty() || model.isEmpty()) {
      return;
    }
    Path last = segments.getLast();
    long minSize = SegmentFile.HEADER_BYTES;
    long size = Files.size(last);
    long newSize = random.nextBoolean() ? size : minSize + random.nextLong(size - minSize + 1);
    try (FileChannel file = FileChannel.open(last, StandardOpenOption.WRITE)) {
      file.truncate(newSize);
    }
    model.removeIf(
        id -> {
          Place place = places.get(id);
          return place != null && place.file().equals(last) && place.end() > newSize;
        });
  }

  private static List<Path> segments(Path files) throws IOException {
    if (Files.notExists(files)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(files)) {
      return new ArrayList<>(
          all.filter(path -> path.toString().endsWith(".calls")).sorted().toList());
    }
  }
}
