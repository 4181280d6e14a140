package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.ServerTool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Plugins that are each broken in one way, and the test of the kit that is meant for it. */
@DisplayName("The kit refuses a plugin that")
class BrokenPluginsTest {
  /** A test of a contract. */
  private interface Check<C> {
    void run(C contract) throws Exception;
  }

  /** The test meant for a plugin, run over it. */
  private interface Trial {
    void run() throws Exception;
  }

  /** A plugin, the test meant for it, and a part of the message it fails with. */
  private record Broken(String name, Trial trial, String says) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static Broken router(
      RouterPlugin router, Check<RouterPluginContract> check, String says) {
    return new Broken(
        "router " + router.getClass().getSimpleName(),
        () -> check.run(BrokenRouters.contract(router)),
        says);
  }

  private static Broken interceptor(
      Interceptor interceptor, Check<InterceptorContract> check, String says) {
    return new Broken(
        "interceptor " + interceptor.getClass().getSimpleName(),
        () -> check.run(BrokenInterceptors.contract(interceptor)),
        says);
  }

  private static Broken overlooks(BrokenInterceptors.Look overlooked, String says) {
    return new Broken(
        "redactor that overlooks " + overlooked,
        () ->
            BrokenInterceptors.redacting(BrokenInterceptors.Redactor.without(overlooked))
                .letsNothingThrough(),
        says);
  }

  private static Broken tool(ServerTool tool, Check<ServerToolContract> check, String says) {
    return new Broken(
        "tool " + tool.getClass().getSimpleName(),
        () -> check.run(BrokenTools.contract(tool)),
        says);
  }

  static List<Broken> broken() {
    return Stream.of(routers(), interceptors(), tools()).flatMap(List::stream).toList();
  }

  private static List<Broken> routers() {
    return List.of(
        router(
            new BrokenRouters.ReadsClock(),
            RouterPluginContract::code,
            "calls java.lang.System.currentTimeMillis"),
        router(
            new BrokenRouters.ReadsClockElsewhere(),
            RouterPluginContract::code,
            "Hours.isNight(BrokenRouters.java:"),
        router(new BrokenRouters.ThrowsDice(), RouterPluginContract::code, "candidates.random(n)"),
        router(new BrokenRouters.ReadsFile(), RouterPluginContract::code, "uses files"),
        router(new BrokenRouters.OpensSocket(), RouterPluginContract::code, "uses the network"),
        router(new BrokenRouters.ExitsProcess(), RouterPluginContract::code, "System.exit"),
        router(new BrokenRouters.CallsByReflection(), RouterPluginContract::code, "Class.forName"),
        router(
            new BrokenRouters.CountsInStaticField(),
            RouterPluginContract::code,
            "COUNT keeps state"),
        router(new BrokenRouters.SortsInParallel(), RouterPluginContract::code, "parallelStream"),
        router(new BrokenRouters.LeavesThread(), RouterPluginContract::threads, "\"refresher\""),
        router(
            new BrokenRouters.LeavesVirtualThread(),
            RouterPluginContract::threads,
            "virtual thread #"),
        new Broken(
            "router ReadsFileByLibrary",
            BrokenPluginsTest::readsFileByLibrary,
            "ReadsFileByLibrary.select(line "),
        router(new BrokenRouters.IsSlow(), RouterPluginContract::fast, "microseconds over 256"),
        router(
            new BrokenRouters.WaitsForOther(), RouterPluginContract::fast, "microseconds over 256"),
        router(new BrokenRouters.ChoosesUnusable(), RouterPluginContract::offered, "is among"),
        router(
            new BrokenRouters.ChoosesUnusableEndpoint(),
            RouterPluginContract::offered,
            "could not find"),
        router(new BrokenRouters.ChoosesUnknown(), RouterPluginContract::offered, "no/such"),
        router(new BrokenRouters.ChoosesTwice(), RouterPluginContract::offered, "duplicate"),
        router(new BrokenRouters.Alternates(), RouterPluginContract::repeatable, "expected"),
        router(new BrokenRouters.RecordsPrompt(), RouterPluginContract::facts, "facts"),
        router(new BrokenRouters.TakesFirstOfCatalog(), RouterPluginContract::order, "expected"),
        router(
            new BrokenRouters.NeedsItsFacts(),
            RouterPluginContract::foreignFacts,
            "no task in the facts"));
  }

  private static List<Broken> interceptors() {
    return List.of(
        interceptor(new BrokenInterceptors.ReadsClock(), InterceptorContract::code, "chain.now()"),
        interceptor(
            new BrokenInterceptors.MakesRandomIds(), InterceptorContract::code, "UUID.randomUUID"),
        interceptor(
            new BrokenInterceptors.CallsHomeUnsaid(), InterceptorContract::code, "usesNetwork()"),
        interceptor(
            new BrokenInterceptors.SleepsInLibrary(),
            InterceptorContract::libraries,
            "jdk.ThreadSleep, which starts threads or sleeps. A plugin works on the thread"),
        interceptor(
            new BrokenInterceptors.LeavesPool(), InterceptorContract::threads, "\"scanner\""),
        interceptor(
            new BrokenInterceptors.LeavesVirtualThread(),
            InterceptorContract::threads,
            "virtual thread #"),
        interceptor(
            new BrokenInterceptors.CopiesWhatItPasses(),
            InterceptorContract::passes,
            "the request passed on"),
        interceptor(
            new BrokenInterceptors.AsksTwice(), InterceptorContract::passes, "requests passed on"),
        interceptor(
            new BrokenInterceptors.HoldsBackPieces(),
            InterceptorContract::hidesNothing,
            "events taken from the upstream"),
        interceptor(
            new BrokenInterceptors.ForgetsToClose(), InterceptorContract::closedEarly, "closed"),
        interceptor(
            new BrokenInterceptors.ForgetsToCloseAfterFailure(),
            InterceptorContract::closedAfterFailure,
            "closed"),
        interceptor(
            new BrokenInterceptors.EndsTwice(), InterceptorContract::endsOnce, "ending events"),
        interceptor(
            new BrokenInterceptors.KeepsMoney(),
            InterceptorContract::endsOnce,
            "neither settled nor released"),
        interceptor(
            new BrokenInterceptors.ClearsInterruption(),
            InterceptorContract::thread,
            "interrupted"),
        interceptor(
            new BrokenInterceptors.NotesSomethingElse(), InterceptorContract::repeatable, "th\""),
        interceptor(
            new BrokenInterceptors.AnswersInChatOnly(),
            InterceptorContract::dialects,
            "the dialect of what is passed on"),
        interceptor(
            new BrokenInterceptors.TrustsFirstMessage(),
            InterceptorContract::dialects,
            "CHAT, the arguments of a tool call"),
        overlooks(BrokenInterceptors.Look.INSTRUCTIONS, "MESSAGES, the instructions"),
        overlooks(BrokenInterceptors.Look.TOOL_RESULTS, "CHAT, a tool result"),
        overlooks(BrokenInterceptors.Look.LATER_PARTS, "CHAT, the second part of a user message"),
        overlooks(BrokenInterceptors.Look.ARGUMENTS, "CHAT, the arguments of a tool call"),
        interceptor(
            new BrokenInterceptors.KeepsRequestInField(),
            InterceptorContract::sharedByRequests,
            "beside another"),
        interceptor(
            new BrokenInterceptors.SwallowsCancellation(),
            InterceptorContract::cancelled,
            "complete answers after it was ended"));
  }

  private static List<Broken> tools() {
    return List.of(
        tool(new BrokenTools.ReadsClock(), ServerToolContract::code, "System.nanoTime"),
        tool(new BrokenTools.WritesFileUnsaid(), ServerToolContract::code, "usesFiles()"),
        new Broken(
            "tool AsksServerByLibrary",
            BrokenPluginsTest::asksServerByLibrary,
            "AsksServerByLibrary.run(line "),
        new Broken(
            "tool WritesFileByLibrary",
            BrokenPluginsTest::writesFileByLibrary,
            "WritesFileByLibrary.run(line "),
        tool(new BrokenTools.MixesCalls(), ServerToolContract::concurrent, "beside other calls"),
        tool(new BrokenTools.LeavesThread(), ServerToolContract::threads, "\"writer\""),
        tool(
            new BrokenTools.LeavesVirtualThread(), ServerToolContract::threads, "virtual thread #"),
        tool(
            new BrokenTools.KeepsMoney(),
            ServerToolContract::works,
            "neither settled nor released"),
        tool(new BrokenTools.TrustsArguments(), ServerToolContract::odd, "NullPointerException"),
        tool(
            new BrokenTools.FailsWithoutWord(),
            ServerToolContract::withoutArguments,
            "what the model reads"),
        tool(new BrokenTools.NeverWorks(), ServerToolContract::works, "yes"),
        tool(new BrokenTools.CountsCalls(), ServerToolContract::works, "yes1"),
        tool(new BrokenTools.HasNoOwner(), ServerToolContract::spec, "word"),
        new Broken(
            "tool KeepsLastWord",
            () -> BrokenTools.contract(BrokenTools.KeepsLastWord::new).keepsNothing(),
            "after"),
        tool(new BrokenTools.RepeatsAtLength(), ServerToolContract::works, "bytes of a result"),
        tool(
            new BrokenTools.KeepsMoneyWhenCancelled(),
            ServerToolContract::cancelled,
            "neither settled nor released"));
  }

  private static void readsFileByLibrary() throws Exception {
    Path file = Files.createTempFile("prices", ".txt");
    try {
      Files.writeString(file, "cheap");
      var router = new BrokenRouters.ReadsFileByLibrary(file.toFile());
      BrokenRouters.contract(router).code(); // this cannot see it
      BrokenRouters.contract(router).libraries();
    } finally {
      Files.delete(file);
    }
  }

  private static void writesFileByLibrary() throws Exception {
    Path file = Files.createTempFile("calls", ".log");
    try (var log = Files.newBufferedWriter(file)) {
      var tool =
          new BrokenTools.WritesFileByLibrary(
              line -> {
                try {
                  log.write(line);
                  log.flush();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      BrokenTools.contract(tool).code();
      BrokenTools.contract(tool).libraries();
    } finally {
      Files.delete(file);
    }
  }

  private static void asksServerByLibrary() throws Exception {
    try (var server =
        RawUpstream.start(
            TestAmbient.realTime(),
            false,
            connection -> {
              connection.readHead();
              connection.write(
                  "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nyes");
            })) {
      var tool = new BrokenTools.AsksServerByLibrary(server.baseUri().toURL());
      BrokenTools.contract(tool).code();
      BrokenTools.contract(tool).libraries();
    }
  }

  @ParameterizedTest
  @MethodSource("broken")
  @DisplayName("is one of these")
  void refused(Broken broken) {
    assertThatThrownBy(() -> broken.trial().run())
        .satisfies(thrown -> assertThat(thrown.toString()).contains(broken.says()));
  }

  @Test
  @DisplayName("is broken in one of at least 25 ways")
  void many() {
    assertThat(broken()).hasSizeGreaterThanOrEqualTo(25);
    assertThat(broken()).extracting(Broken::name).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("but takes a good one of each kind")
  void good() throws Exception {
    RouterPluginContract router = BrokenRouters.contract(new BrokenRouters.Good());
    router.code();
    router.threads();
    router.libraries();
    router.fast();
    router.offered();
    router.repeatable();
    router.facts();
    router.order();
    router.foreignFacts();
    InterceptorContract interceptor = BrokenInterceptors.contract(new BrokenInterceptors.Good());
    interceptor.code();
    interceptor.threads();
    interceptor.libraries();
    interceptor.passes();
    interceptor.hidesNothing();
    interceptor.closedEarly();
    interceptor.closedAfterFailure();
    interceptor.endsOnce();
    interceptor.thread();
    interceptor.repeatable();
    interceptor.cancelled();
    interceptor.dialects();
    interceptor.sharedByRequests();
    InterceptorContract redactor =
        BrokenInterceptors.redacting(
            new BrokenInterceptors.Redactor(EnumSet.allOf(BrokenInterceptors.Look.class)));
    redactor.letsNothingThrough();
    redactor.dialects();
    redactor.passes();
    redactor.code();
    ServerToolContract tool = BrokenTools.contract(new BrokenTools.Good());
    tool.code();
    tool.threads();
    tool.libraries();
    tool.concurrent();
    tool.works();
    tool.odd();
    tool.withoutArguments();
    tool.spec();
    tool.failingChain();
    tool.keepsNothing();
    tool.cancelled();
  }
}
