package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import acme.dated.DatedInterceptors;
import acme.dated.DatedRouters;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.error.GatewayException;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.tck.BrokenAdapters.Bug;
import io.strowger.tck.TestConversations.Demand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

/** Tests that each fault of a plugin is found by the contract test that is meant for it. */
@DisplayName("The kit refuses a plugin that")
class BrokenPluginsTest {
  /** A test method of a contract. */
  private interface Check<C> {
    void run(C contract) throws Exception;
  }

  /** A test method of a contract, with its plugin. */
  private interface Trial {
    void run() throws Exception;
  }

  /** A faulty plugin, the test that must fail for it, and a part of the failure message. */
  private record BrokenPlugin(String name, Trial trial, String message) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static BrokenPlugin router(
      RouterPlugin router, Check<RouterPluginContract> check, String message) {
    return new BrokenPlugin(
        "router " + router.getClass().getSimpleName(),
        () -> check.run(BrokenRouters.contract(router)),
        message);
  }

  private static BrokenPlugin interceptor(
      Interceptor interceptor, Check<InterceptorContract> check, String message) {
    return new BrokenPlugin(
        "interceptor " + interceptor.getClass().getSimpleName(),
        () -> check.run(BrokenInterceptors.contract(interceptor)),
        message);
  }

  private static BrokenPlugin overlooks(BrokenInterceptors.TextPlace overlooked, String message) {
    return new BrokenPlugin(
        "redactor that overlooks " + overlooked,
        () ->
            BrokenInterceptors.redacting(BrokenInterceptors.Redactor.without(overlooked))
                .letsNothingThrough(),
        message);
  }

  private static BrokenPlugin tool(
      ServerTool tool, Check<ServerToolContract> check, String message) {
    return new BrokenPlugin(
        "tool " + tool.getClass().getSimpleName(),
        () -> check.run(BrokenTools.contract(tool)),
        message);
  }

  private static BrokenPlugin adapter(Bug bug, Check<ChatProviderContract> check, String message) {
    return new BrokenPlugin(
        "adapter " + bug, () -> check.run(BrokenAdapters.contract(bug)), message);
  }

  static List<BrokenPlugin> broken() {
    return Stream.of(routers(), interceptors(), tools(), adapters()).flatMap(List::stream).toList();
  }

  private static List<BrokenPlugin> routers() {
    return List.of(
        router(
            new BrokenRouters.ReadsClock(),
            RouterPluginContract::code,
            "calls java.lang.System.currentTimeMillis"),
        router(
            new BrokenRouters.ReadsClockElsewhere(),
            RouterPluginContract::code,
            "Hours.isNight(BrokenRouters.java:"),
        router(
            new BrokenRouters.UsesRandomNumbers(),
            RouterPluginContract::code,
            "candidates.random(n)"),
        router(new BrokenRouters.ReadsFile(), RouterPluginContract::code, "uses files"),
        router(new BrokenRouters.OpensSocket(), RouterPluginContract::code, "uses the network"),
        router(new BrokenRouters.ExitsProcess(), RouterPluginContract::code, "System.exit"),
        router(new BrokenRouters.CallsByReflection(), RouterPluginContract::code, "Class.forName"),
        router(
            new BrokenRouters.CountsInStaticField(),
            RouterPluginContract::code,
            "COUNT keeps state"),
        router(new BrokenRouters.SortsInParallel(), RouterPluginContract::code, "parallelStream"),
        router(
            new IndirectRouters.ReadsGivenClock(Clock.systemUTC()),
            RouterPluginContract::code,
            "java.time.Clock.millis"),
        router(
            new IndirectRouters.UsesGivenAmbient(TestAmbient.realTime()),
            RouterPluginContract::code,
            "Ambient.seed"),
        router(
            new IndirectRouters.WorksOnGivenPool(Runnable::run),
            RouterPluginContract::code,
            "Executor.execute"),
        router(new IndirectRouters.LooksUpName(), RouterPluginContract::code, "InetSocketAddress"),
        router(new IndirectRouters.UsesInheritedFile(), RouterPluginContract::code, "Flag.exists"),
        router(new IndirectRouters.ReadsEnvironment(), RouterPluginContract::code, "getenv"),
        router(new IndirectRouters.Parks(), RouterPluginContract::code, "LockSupport.parkNanos"),
        router(new IndirectRouters.WaitsForLock(), RouterPluginContract::code, "wait"),
        router(
            new StatefulPlugins.CountsInConstant(),
            RouterPluginContract::keepsNothing,
            "CountsInConstant.SEEN"),
        router(
            new StatefulPlugins.RemembersFacts(),
            RouterPluginContract::keepsNothing,
            "seen[0] is a Obj"),
        new BrokenPlugin(
            "router that is a lambda and remembers facts",
            () -> BrokenRouters.contract(StatefulPlugins.rememberingLambda()).keepsNothing(),
            "[0] is a Obj"),
        router(
            new StatefulPlugins.CountsBehindClass(),
            RouterPluginContract::keepsNothing,
            "counter.count is"),
        new BrokenPlugin(
            "router ReadsClockByLibrary",
            () -> {
              var contract = new DatedRouters();
              assertCodeAndLibrariesPass(contract);
              clocks(contract);
            },
            "DateUtil.now, which reads a clock"),
        router(new BrokenRouters.LeavesThread(), RouterPluginContract::threads, "\"refresher\""),
        router(
            new BrokenRouters.LeavesVirtualThread(),
            RouterPluginContract::threads,
            "virtual thread #"),
        new BrokenPlugin(
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
        router(
            new BrokenRouters.ExpectsHealth(), RouterPluginContract::offered, "no word for DOWN"),
        router(new BrokenRouters.Alternates(), RouterPluginContract::repeatable, "expected"),
        router(new BrokenRouters.RecordsPrompt(), RouterPluginContract::facts, "facts"),
        router(
            new BrokenRouters.TakesFirstOfCatalog(),
            RouterPluginContract::order,
            "break ties by id"),
        router(
            new BrokenRouters.NeedsItsFacts(),
            RouterPluginContract::foreignFacts,
            "no task in the facts"));
  }

  private static List<BrokenPlugin> interceptors() {
    return List.of(
        interceptor(new BrokenInterceptors.ReadsClock(), InterceptorContract::code, "chain.now()"),
        interceptor(
            new BrokenInterceptors.MakesRandomIds(), InterceptorContract::code, "UUID.randomUUID"),
        interceptor(
            new BrokenInterceptors.UsesNetworkUndeclared(),
            InterceptorContract::code,
            "usesNetwork()"),
        interceptor(
            new StatefulPlugins.KeepsRequests(),
            InterceptorContract::holdsNothing,
            "last[0] is a InferenceRequest"),
        interceptor(
            new StatefulPlugins.KeepsTexts(), InterceptorContract::holdsNothing, "is read: act"),
        new BrokenPlugin(
            "interceptor ReadsClockByLibrary",
            () -> {
              InterceptorContract contract = new DatedInterceptors().new UndeclaredContract();
              contract.code();
              contract.libraries();
              contract.clocks();
            },
            "DateUtil.now, which reads a clock"),
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
            new BrokenInterceptors.ProceedsTwice(),
            InterceptorContract::passes,
            "requests passed on"),
        interceptor(
            new BrokenInterceptors.CollectsPieces(),
            InterceptorContract::hidesNothing,
            "events taken from the upstream"),
        interceptor(
            new BrokenInterceptors.ForgetsToClose(), InterceptorContract::closedEarly, "closed"),
        interceptor(
            new BrokenInterceptors.ForgetsToCloseAfterFailure(),
            InterceptorContract::closedAfterFailure,
            "closed"),
        interceptor(
            new BrokenInterceptors.EndsTwice(), InterceptorContract::endsOnce, "terminal events"),
        interceptor(
            new BrokenInterceptors.OmitsEnd(), InterceptorContract::endsOnce, "terminal events"),
        new BrokenPlugin(
            "interceptor that acts on every request and OmitsEnd",
            () -> BrokenInterceptors.everywhere(new BrokenInterceptors.OmitsEnd()).endsOnce(),
            "terminal events"),
        interceptor(
            new BrokenInterceptors.KeepsMoney(),
            InterceptorContract::endsOnce,
            "neither settled nor released"),
        interceptor(
            new BrokenInterceptors.ClearsInterruption(),
            InterceptorContract::thread,
            "interrupted"),
        interceptor(new BrokenInterceptors.NotesCount(), InterceptorContract::repeatable, "th\""),
        interceptor(
            new BrokenInterceptors.AnswersInChatOnly(),
            InterceptorContract::dialects,
            "the dialect in which a request is passed on"),
        interceptor(
            new BrokenInterceptors.TrustsFirstMessage(),
            InterceptorContract::dialects,
            "CHAT, an earlier refusal"),
        overlooks(BrokenInterceptors.TextPlace.INSTRUCTIONS, "MESSAGES, the instructions"),
        overlooks(BrokenInterceptors.TextPlace.TOOL_RESULTS, "CHAT, a tool result"),
        overlooks(
            BrokenInterceptors.TextPlace.LATER_PARTS, "CHAT, the second part of a user message"),
        overlooks(BrokenInterceptors.TextPlace.ARGUMENTS, "CHAT, the arguments of a tool call"),
        overlooks(
            BrokenInterceptors.TextPlace.SPLIT_TEXTS, "CHAT, two parts of a user message, split"),
        overlooks(BrokenInterceptors.TextPlace.FILES, "CHAT, the name of a file"),
        overlooks(BrokenInterceptors.TextPlace.METADATA, "CHAT, the metadata"),
        overlooks(BrokenInterceptors.TextPlace.THOUGHTS, "CHAT, a thought of the kind TEXT"),
        overlooks(BrokenInterceptors.TextPlace.DECLARATIONS, "CHAT, the description of a tool"),
        overlooks(BrokenInterceptors.TextPlace.SETTINGS, "CHAT, the metadata"),
        overlooks(BrokenInterceptors.TextPlace.OTHERS, "CHAT, a citation"),
        new BrokenPlugin(
            "redactor that does not read arguments as JSON",
            () ->
                BrokenInterceptors.redacting(new BrokenInterceptors.ReplacesInText())
                    .letsNothingThrough(),
            "CHAT, the arguments of a tool call, escaped"),
        interceptor(
            new BrokenInterceptors.KeepsRequestInField(),
            InterceptorContract::sharedByRequests,
            "while another runs"),
        interceptor(
            new BrokenInterceptors.SwallowsCancellation(),
            InterceptorContract::cancelled,
            "complete answers after it was ended"));
  }

  private static List<BrokenPlugin> adapters() {
    return List.of(
        adapter(Bug.SENDS_OWN_USER, ChatProviderContract::endUser, "own-user"),
        adapter(Bug.SENDS_OTHER_THAN_IT_SHOWS, ChatProviderContract::endUser, "own-user"),
        new BrokenPlugin(
            "adapter that shows another body than it sends",
            () -> BrokenAdapters.contract(Bug.SENDS_OTHER_THAN_IT_SHOWS).sentAsShown(),
            "hash-77"),
        adapter(Bug.FORGETS_USER, ChatProviderContract::endUser, "a loss of the user"),
        adapter(Bug.RECORDS_ANOTHER_LOSS, ChatProviderContract::endUser, "a loss of the user"),
        adapter(Bug.SENDS_EVERY_PARAMETER, ChatProviderContract::unsupportedParameter, "0.625"),
        adapter(
            Bug.DROPS_SILENTLY,
            ChatProviderContract::unsupportedParameter,
            "a loss of the temperature"),
        adapter(Bug.DROPS_STOP, contract -> contract.demands(Demand.STOP), "a loss"),
        adapter(Bug.DROPS_TOOLS, contract -> contract.demands(Demand.TOOLS), "a loss of the tools"),
        adapter(
            Bug.SENDS_EVERY_TOOL, contract -> contract.demands(Demand.TOOLS), "no tools is sent"),
        new BrokenPlugin(
            "adapter that forgets tools and records no loss",
            () -> BrokenAdapters.contract(Bug.FORGETS_TOOLS).demands(Demand.TOOLS),
            "the tools is sent, or recorded"),
        adapter(Bug.DROPS_FORMAT, contract -> contract.demands(Demand.RESPONSE_FORMAT), "a loss"),
        adapter(Bug.KEEPS_OWN_LIMIT, ChatProviderContract::outputCap, "7717"),
        adapter(
            Bug.FORGETS_INSTRUCTIONS,
            ChatProviderContract::everyDialect,
            "a distinctive instruction"),
        adapter(Bug.FORGETS_ANSWERS, ChatProviderContract::everyDialect, "a distinctive answer"),
        adapter(Bug.FORGETS_TOOLS, ChatProviderContract::everyDialect, "a distinctive purpose"),
        adapter(Bug.FORGETS_CALLS, ChatProviderContract::everyDialect, "a distinctive argument"),
        adapter(Bug.FORGETS_RESULTS, ChatProviderContract::everyDialect, "a distinctive result"),
        adapter(Bug.ONLY_CHAT, ChatProviderContract::everyDialect, "MESSAGES"),
        adapter(Bug.FORGETS_USAGE, ChatProviderContract::whole, "UsageReport"),
        new BrokenPlugin(
            "adapter without streams that declares them",
            () -> BrokenAdapters.contract(Bug.HAS_NO_STREAMS).streamed(),
            "Finished"),
        new BrokenPlugin(
            "adapter without streams and FORGETS_USAGE",
            () -> BrokenAdapters.contract(Bug.FORGETS_USAGE, false).streamed(),
            "UsageReport"),
        adapter(Bug.FORGETS_STATUS, contract -> contract.refusals(429), "429"),
        adapter(Bug.CALLS_ALL_UNAVAILABLE, contract -> contract.refusals(401), "CREDENTIAL"),
        adapter(Bug.FORGETS_RETRY_AFTER, ChatProviderContract::retryAfter, "7L"),
        adapter(Bug.FORGETS_CREDENTIAL, ChatProviderContract::head, "the credential is sent"),
        adapter(Bug.FORGETS_HEADERS, ChatProviderContract::head, "headers of the settings"),
        adapter(Bug.TRIES_AGAIN, ChatProviderContract::sentOnce, "Refuses[status=503"),
        adapter(Bug.SWALLOWS_CUT, ChatProviderContract::cut, "PROTOCOL"),
        adapter(Bug.LEAVES_THREAD, ChatProviderContract::leavesNothing, "\"keep-alive\""),
        adapter(
            Bug.LEAVES_VIRTUAL_THREAD, ChatProviderContract::leavesNothing, "virtual thread #"));
  }

  static List<BrokenPlugin> unclosed() {
    return List.of(
        adapter(
            Bug.IGNORES_CANCELLATION,
            ChatProviderContract::cancelledDuringOpen,
            "the reader has not ended"),
        adapter(Bug.LEAVES_REFUSALS_OPEN, ChatProviderContract::leavesNothing, "have not closed"),
        adapter(Bug.LEAVES_SHARED_OPEN, ChatProviderContract::streamed, "ProviderFactory.close()"));
  }

  private static List<BrokenPlugin> tools() {
    return List.of(
        tool(new BrokenTools.ReadsClock(), ServerToolContract::code, "System.nanoTime"),
        tool(new BrokenTools.UsesFilesUndeclared(), ServerToolContract::code, "usesFiles()"),
        new BrokenPlugin(
            "tool CallsServerByLibrary",
            BrokenPluginsTest::callsServerByLibrary,
            "CallsServerByLibrary.run(line "),
        new BrokenPlugin(
            "tool WritesFileByLibrary",
            BrokenPluginsTest::writesFileByLibrary,
            "WritesFileByLibrary.run(line "),
        tool(
            new StatefulPlugins.KeepsCalls(),
            ServerToolContract::holdsNothing,
            "calls[0] is a Invocation"),
        tool(new BrokenTools.MixesCalls(), ServerToolContract::concurrent, "while other calls run"),
        tool(new BrokenTools.LeavesThread(), ServerToolContract::threads, "\"writer\""),
        tool(
            new BrokenTools.LeavesVirtualThread(), ServerToolContract::threads, "virtual thread #"),
        tool(
            new BrokenTools.KeepsMoney(),
            ServerToolContract::works,
            "neither settled nor released"),
        tool(new BrokenTools.TrustsArguments(), ServerToolContract::odd, "NullPointerException"),
        tool(
            new BrokenTools.FailsWithoutMessage(),
            ServerToolContract::withoutArguments,
            "what the model reads"),
        tool(new BrokenTools.NeverWorks(), ServerToolContract::works, "yes"),
        tool(new BrokenTools.CountsCalls(), ServerToolContract::works, "yes1"),
        tool(new BrokenTools.HasNoOwner(), ServerToolContract::spec, "word"),
        new BrokenPlugin(
            "tool KeepsLastWord",
            () -> BrokenTools.contract(BrokenTools.KeepsLastWord::new).keepsNothing(),
            "after"),
        tool(new BrokenTools.RepeatsAtLength(), ServerToolContract::works, "bytes of a result"),
        tool(
            new BrokenTools.KeepsMoneyWhenCancelled(),
            ServerToolContract::cancelled,
            "neither settled nor released"));
  }

  private static void assertCodeAndLibrariesPass(RouterPluginContract contract) throws Exception {
    contract.code();
    contract.libraries();
  }

  private static void clocks(RouterPluginContract contract) throws Exception {
    contract.clocks();
  }

  @Test
  @DisplayName(
      "but accepts one that declares that its libraries read clocks without effect on results")
  void declaredClocks() {
    InterceptorContract contract = new DatedInterceptors().new DeclaredContract();
    assertThatThrownBy(contract::clocks).isInstanceOf(TestAbortedException.class);
  }

  @Test
  @DisplayName("but accepts an interceptor that counts, since a count is not data of a request")
  void counts() throws Exception {
    BrokenInterceptors.contract(new StatefulPlugins.CorrectCounter()).holdsNothing();
  }

  private static void readsFileByLibrary() throws Exception {
    Path file = Files.createTempFile("prices", ".txt");
    try {
      Files.writeString(file, "cheap");
      var router = new BrokenRouters.ReadsFileByLibrary(file.toFile());
      BrokenRouters.contract(router).code(); // does not find the use by the library
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

  private static void callsServerByLibrary() throws Exception {
    try (var server =
        RawUpstream.start(
            TestAmbient.realTime(),
            false,
            connection -> {
              connection.readHead();
              connection.write(
                  "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nConnection: close\r\n\r\nyes");
            })) {
      var tool = new BrokenTools.CallsServerByLibrary(server.baseUri().toURL());
      BrokenTools.contract(tool).code();
      BrokenTools.contract(tool).libraries();
    }
  }

  @ParameterizedTest
  @MethodSource("broken")
  @DisplayName("has one of these faults:")
  void refused(BrokenPlugin broken) {
    Throwable thrown = catchThrowable(() -> broken.trial().run());
    assertThat(thrown).as("the failure of the test for %s", broken.name()).isNotNull();
    assertThat(thrown.toString()).as(broken.name()).contains(broken.message());
  }

  @ParameterizedTest
  @MethodSource("unclosed")
  @Tag("full")
  @Tag("long") // each of these takes as long as the kit waits, ten seconds
  @DisplayName("does not end or close something while the kit waits for it:")
  void endless(BrokenPlugin broken) {
    refused(broken);
  }

  @Test
  @DisplayName("has one of at least 25 different faults")
  void many() {
    assertThat(broken()).hasSizeGreaterThanOrEqualTo(25);
    assertThat(broken()).extracting(BrokenPlugin::name).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("but accepts a router whose provider also has a tool that uses the network")
  void routerBesideTool() {
    BrokenRouters.besideTools(new BrokenRouters.CorrectRouter()).code();
    assertThatThrownBy(() -> BrokenRouters.besideTools(new BrokenRouters.OpensSocket()).code())
        .hasMessageContaining("uses the network");
  }

  @Test
  @DisplayName("refuses requests with an internal error")
  void refusesInternally() {
    InterceptorContract contract =
        BrokenInterceptors.redacting(new BrokenInterceptors.CorrectThrower(ErrorCode.INTERNAL));
    assertThatThrownBy(contract::dialects).isInstanceOf(GatewayException.class);
  }

  @Test
  @DisplayName("but accepts correct ones of each kind")
  void assertAccepted() throws Exception {
    RouterPluginContract router = BrokenRouters.contract(new BrokenRouters.CorrectRouter());
    router.code();
    router.threads();
    router.libraries();
    router.fast();
    router.offered();
    router.repeatable();
    router.facts();
    router.order();
    router.foreignFacts();
    router.keepsNothing();
    assertAccepted(BrokenInterceptors.contract(new BrokenInterceptors.CorrectInterceptor()));
    assertAccepted(BrokenInterceptors.contract(new BrokenInterceptors.CorrectBlocker()));
    InterceptorContract thrower =
        BrokenInterceptors.redacting(
            new BrokenInterceptors.CorrectThrower(ErrorCode.CONTENT_POLICY_VIOLATION));
    assertAccepted(thrower);
    thrower.letsNothingThrough();
    thrower.dialects();
    InterceptorContract redactor =
        BrokenInterceptors.redacting(
            new BrokenInterceptors.Redactor(EnumSet.allOf(BrokenInterceptors.TextPlace.class)));
    redactor.letsNothingThrough();
    redactor.dialects();
    redactor.passes();
    redactor.code();
    ServerToolContract tool = BrokenTools.contract(new BrokenTools.CorrectTool());
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
    tool.holdsNothing();
    tool.cancelled();
  }

  private static void assertAccepted(InterceptorContract contract) throws Exception {
    contract.passes();
    assertAcceptedWithoutPassing(contract);
  }

  private static void assertAcceptedWithoutPassing(InterceptorContract contract) throws Exception {
    contract.scope();
    contract.code();
    contract.threads();
    contract.libraries();
    contract.hidesNothing();
    contract.closedEarly();
    contract.closedAfterFailure();
    contract.chainFails();
    contract.endsOnce();
    contract.thread();
    contract.repeatable();
    contract.cancelled();
    contract.dialects();
    contract.sharedByRequests();
    contract.holdsNothing();
  }

  @Test
  @DisplayName(
      "but accepts a correct one that acts on every request, for which one test is skipped")
  void everywhere() throws Exception {
    InterceptorContract contract =
        BrokenInterceptors.everywhere(new BrokenInterceptors.CorrectEverywhere());
    assertAcceptedWithoutPassing(contract);
    assertThatThrownBy(contract::passes).isInstanceOf(TestAbortedException.class);
  }
}
