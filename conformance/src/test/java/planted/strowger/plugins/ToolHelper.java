package planted.strowger.plugins;

import com.fasterxml.jackson.core.JsonFactory;
import planted.strowger.host.Wrapper;
import planted.strowger.spi.Talkative;

/** A plugin that says nothing by its name, parses for itself and knows its host. */
public record ToolHelper(Talkative talkative, Wrapper wrapper, JsonFactory parser) {}
