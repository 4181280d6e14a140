package io.strowger.host.cli;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Reading;
import io.strowger.core.json.JacksonCodec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A configuration file, read as often as asked. */
record ConfigFile(Path file, Terminal terminal) {
  /** Reads it now. */
  Reading read() throws Complaint {
    byte[] content;
    try {
      content = Files.readAllBytes(file);
    } catch (IOException e) {
      throw Complaint.unreadable(file, e);
    }
    return new ConfigReader(new JacksonCodec(), terminal.environment()).read(content);
  }

  /** Reads it now; every problem in the complaint. */
  GatewayConfig load() throws Complaint {
    return switch (read()) {
      case Reading.Accepted(var config) -> config;
      case Reading.Refused(var problems) -> throw Complaint.about(file.toString(), problems);
    };
  }
}
