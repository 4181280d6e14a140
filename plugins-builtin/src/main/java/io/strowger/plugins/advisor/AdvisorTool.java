package io.strowger.plugins.advisor;

import io.strowger.spi.json.Json;
import io.strowger.spi.plugin.Interceptor.Chain;
import io.strowger.spi.plugin.ServerTool;

/**
 * Asks another model for advice, by one inner call: the tool {@code router:advisor}.
 *
 * <p>Contract: plugins fact sheet, section 12, {@code advisor}.
 */
public final class AdvisorTool implements ServerTool {
  private final ServerTool tool = ModelCallingTool.advisor();

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
