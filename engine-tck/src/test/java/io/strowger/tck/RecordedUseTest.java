package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.contentOf;

import io.strowger.spi.model.Event;
import io.strowger.spi.model.StopReason;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.provider.EventStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.commons.support.ReflectionSupport;

@DisplayName("The recorded use of a plugin")
class RecordedUseTest {
  @TempDir Path directory;
  private Path file = Path.of("");

  @BeforeEach
  void write() throws Exception {
    file = Files.writeString(directory.resolve("prices.txt"), "cheap");
  }

  /** Reads clocks and random numbers by each kind of method reference, as a library may. */
  static final class ReadsClocksByReference implements Consumer<String> {
    private final Clock clock = Clock.systemUTC();
    private final LongSupplier nanos = System::nanoTime;
    private final Supplier<Date> date = Date::new;
    private final Supplier<Instant> instant = clock::instant;
    private final Function<InstantSource, Object> millis = InstantSource::millis;
    private final Supplier<Random> random = Random::new;
    private final LongFunction<Random> seeded = Random::new; // permitted

    @Override
    public void accept(String word) {
      Instant before = Instant.ofEpochSecond(1);
      assertThat(nanos.getAsLong()).isNotEqualTo(nanos.getAsLong() + 1);
      assertThat(date.get()).isAfter(before);
      assertThat(instant.get()).isAfter(before);
      assertThat(millis.apply(InstantSource.fixed(before))).isEqualTo(1_000L);
      assertThat(random.get()).isNotNull();
      assertThat(seeded.apply(7).nextInt()).isEqualTo(new Random(7).nextInt());
    }
  }

  @Test
  @DisplayName("includes the clocks and random numbers that a library uses by method references")
  @SuppressWarnings("unchecked")
  void methodReferences() throws Exception {
    var loader = new RewritingLoader(getClass().getClassLoader());
    Class<?> library = loader.loadClass(ReadsClocksByReference.class.getName());
    var action = (Consumer<String>) ReflectionSupport.newInstance(library);
    var tool = new BrokenTools.WritesFileByLibrary(action);
    assertThatThrownBy(() -> RecordedCalls.assertNone(PluginCode.of(tool), Set.of(), run(tool)))
        .hasMessageMatching("(?s).*WritesFileByLibrary.run\\(line \\d+\\) leads to .*")
        .hasMessageContainingAll(
            "Reference.nanoTime$recorded0, which reads a clock",
            "Reference.new$recorded1, which reads a clock",
            "Reference.instant$recorded2, which reads a clock",
            "Reference.millis$recorded3, which reads a clock",
            "Reference.new$recorded4, which is random")
        .hasMessageNotContaining("recorded5");
  }

  @Test
  @DisplayName(
      "need not include method references of the plugin's own code, which are refused at once")
  void ownMethodReferences() {
    var reading = new ReadsClocksByReference();
    for (PluginCode code : PluginCode.of(reading)) {
      assertThatThrownBy(() -> code.assertNoForbiddenUse(Set.of()))
          .hasMessageContainingAll("System.nanoTime", "Date", "Clock.instant", "Random");
    }
  }

  /** Asserts that nothing is recorded of a tool that does only this. */
  private static void assertNone(Set<ForbiddenUse> permitted, Consumer<String> action)
      throws Exception {
    var tool = new BrokenTools.WritesFileByLibrary(action);
    RecordedUse.assertNone(PluginCode.of(tool), permitted, run(tool));
  }

  /** Reads a file in a class that is not the plugin's, as a library does. */
  private void readFile() {
    assertThat(contentOf(file.toFile())).isEqualTo("cheap");
  }

  private static Callable<Object> run(ServerTool tool) {
    return () ->
        tool.run(
            new ServerTool.Invocation(
                BrokenTools.CALL, BrokenTools.CALL, Given.request("acme/model", "hi")),
            FakeChain.of(List.of()));
  }

  @Test
  @DisplayName("is reported with event, file, class, method, line and what to do")
  void message() {
    assertThatThrownBy(() -> assertNone(Set.of(), any -> readFile()))
        .hasMessageMatching(
            "(?s).*BrokenTools\\$WritesFileByLibrary.run\\(line \\d+\\) leads to jdk.FileRead of "
                + ".*prices.txt, which uses files. .*overrides usesFiles\\(\\).*");
  }

  @Test
  @DisplayName("may be permitted by its test")
  void permitted() throws Exception {
    assertNone(Set.of(ForbiddenUse.FILES), any -> readFile());
    assertThatThrownBy(() -> assertNone(Set.of(ForbiddenUse.NETWORK), any -> readFile()))
        .hasMessageContaining("jdk.FileRead");
  }

  @Test
  @DisplayName("does not include class loading")
  void classLoading() throws Exception {
    URL[] classes = {BrokenRouters.class.getProtectionDomain().getCodeSource().getLocation()};
    assertNone(
        Set.of(),
        any -> {
          try (var loader = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
            loader.loadClass("io.strowger.tck.BrokenRouters$Hours");
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  @DisplayName("does not include output to the console, such as logs")
  void console() throws Exception {
    assertNone(
        Set.of(),
        any -> {
          try {
            new FileOutputStream(FileDescriptor.err).write(' ');
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  @Test
  @DisplayName("does not include what the test does behind the chain or beside the plugin")
  void others() throws Exception {
    var interceptor = new BrokenInterceptors.CorrectInterceptor();
    RecordedUse.assertNone(
        PluginCode.of(interceptor),
        Set.of(),
        () -> {
          var chain =
              new FakeChain(
                  request -> {
                    var text = new Event.TextDelta(contentOf(file.toFile()));
                    var end = new Event.Finished(StopReason.END, "stop", null);
                    return EventStream.of(List.of(new Event.Started(null), text, end));
                  });
          try (EventStream stream = interceptor.intercept(Given.streaming("m", "act"), chain)) {
            return contentOf(file.toFile()) + stream.next();
          }
        });
  }
}
