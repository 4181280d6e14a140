package io.strowger.tck;

import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.InnerCall;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;
import io.strowger.spi.store.Hold;
import java.io.IOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.assertj.core.api.Assertions;

/** A correct tool, and many that each break the contract in one way. */
final class BrokenTools {
  static final Json.Obj CALL = Json.object().put("word", "yes").build();

  private BrokenTools() {}

  static ServerToolContract contract(ServerTool tool) {
    return contract(() -> tool);
  }

  /** Returns the contract for a tool that is created again each time. */
  static ServerToolContract contract(Supplier<ServerTool> tool) {
    return new Contract(tool);
  }

  private static final class Contract extends ServerToolContract {
    private final Supplier<ServerTool> tool;

    Contract(Supplier<ServerTool> tool) {
      this.tool = tool;
    }

    @Override
    protected ServerTool tool() {
      return tool.get();
    }

    @Override
    protected List<Json.Obj> validArguments() {
      return List.of(CALL);
    }
  }

  private static ServerTool.Spec spec(String type) {
    Json.Obj word = Json.object().put("type", "string").build();
    Json.Obj properties = Json.object().put("word", word).build();
    return new ServerTool.Spec(
        type,
        "Says a word.",
        Json.object().put("type", "object").put("properties", properties).build());
  }

  private static String word(ServerTool.Invocation call) throws ServerTool.ToolException {
    if (call.arguments().get("word") instanceof Json.Str word && word.text().length() < 100) {
      return word.text();
    }
    throw new ServerTool.ToolException("word must be a short string");
  }

  static final class CorrectTool implements ServerTool {
    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      String word = word(call);
      chain.hold(new Usd(1), "saying").settle(Usd.ZERO);
      return Json.of(word);
    }
  }

  static final class ReadsClock implements ServerTool {
    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      return Json.of(System.nanoTime() == 0 ? "never" : word(call));
    }
  }

  static final class UsesFilesUndeclared implements ServerTool {
    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      try {
        return Json.of(Files.isHidden(Path.of("none")) ? "hidden" : word(call));
      } catch (IOException e) {
        throw new ToolException("no file");
      }
    }
  }

  /** Calls a library that sends a request. */
  static final class CallsServerByLibrary implements ServerTool {
    private final URL server;

    CallsServerByLibrary(URL server) {
      this.server = server;
    }

    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) {
      return Json.of(Assertions.contentOf(server, StandardCharsets.UTF_8));
    }
  }

  /** Calls a consumer that writes a file. */
  static final class WritesFileByLibrary implements ServerTool {
    private final Consumer<String> log;

    WritesFileByLibrary(Consumer<String> log) {
      this.log = log;
    }

    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      log.accept("called");
      return Json.of(word(call));
    }
  }

  /** Keeps the word of a call in a field, where another call at the same time changes it. */
  static final class MixesCalls implements ServerTool {
    private static final int WAITS = 10_000;

    private volatile String word = "";

    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) {
      String mine = call.arguments().get("word") instanceof Json.Str given ? given.text() : "none";
      word = mine;
      for (int i = 0; i < WAITS && word.equals(mine); i++) {
        Thread.yield();
      }
      return Json.of(word);
    }
  }

  static final class LeavesThread implements ServerTool {
    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      Thread.ofPlatform().daemon().name("writer").start(() -> BrokenRouters.linger());
      return Json.of(word(call));
    }
  }

  static final class LeavesVirtualThread implements ServerTool {
    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      Thread.startVirtualThread(() -> BrokenRouters.linger());
      return Json.of(word(call));
    }
  }

  static final class KeepsMoney implements ServerTool {
    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      chain.hold(new Usd(1), "saying");
      return Json.of(word(call));
    }
  }

  static final class TrustsArguments implements ServerTool {
    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) {
      return Json.of(Objects.requireNonNull(call.arguments().text("word")).length());
    }
  }

  static final class FailsWithoutMessage implements ServerTool {
    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      throw new ToolException(" ");
    }
  }

  static final class NeverWorks implements ServerTool {
    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      throw new ToolException("not today");
    }
  }

  static final class CountsCalls implements ServerTool {
    private final AtomicInteger calls = new AtomicInteger();

    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      return Json.of(word(call) + calls.incrementAndGet());
    }
  }

  static final class HasNoOwner implements ServerTool {
    @Override
    public Spec spec() {
      return BrokenTools.spec("word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      return Json.of(word(call));
    }
  }

  static final class KeepsLastWord implements ServerTool {
    private volatile String last = "none";

    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) {
      if (call.arguments().get("word") instanceof Json.Str word) {
        last = word.text();
      }
      return Json.of(last);
    }
  }

  static final class RepeatsAtLength implements ServerTool {
    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      return Json.of(word(call).repeat(1_000_000));
    }
  }

  /** Releases its hold only when a model has answered. */
  static final class KeepsMoneyWhenCancelled implements ServerTool {
    @Override
    public Spec spec() {
      return BrokenTools.spec("acme:word");
    }

    @Override
    public Json run(Invocation call, Chain chain) throws ToolException {
      Hold hold = chain.hold(new Usd(1), "asking");
      var innerCall = new InnerCall("asking", Given.request("acme/one", "?"));
      if (chain.callAll(List.of(innerCall), chain.remaining()).getFirst().answer() != null) {
        hold.release();
      }
      return Json.of(word(call));
    }
  }
}
