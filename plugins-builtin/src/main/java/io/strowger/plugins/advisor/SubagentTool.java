package io.strowger.plugins.advisor;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;

/**
 * Hands a task to another model, by one inner call: the tool {@code router:subagent}.
 *
 * <p>Contract: plugins fact sheet, section 12, {@code subagent}.
 */
public final class SubagentTool implements ServerTool {
  private final ServerTool tool = ModelCallingTool.subagent();

  @Override
  public Spec spec() {
    return tool.spec();
  }

  @Override
  public boolean makesInnerCalls() {
    return true;
  }

  @Override
  public Json run(Invocation call, Chain chain) throws ToolException {
    return tool.run(call, chain);
  }
}
