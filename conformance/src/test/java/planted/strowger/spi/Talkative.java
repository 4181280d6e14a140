package planted.strowger.spi;

import java.util.concurrent.Flow;
import planted.strowger.plugins.ToolHelper;

/** The SPI uses Flow, and needs a plugin that needs it. */
public record Talkative(Flow.Subscription subscription, ToolHelper helper) {}
