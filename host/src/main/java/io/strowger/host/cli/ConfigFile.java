package io.strowger.host.cli;

import io.strowger.core.config.ConfigReader;
import io.strowger.core.config.GatewayConfig;
import io.strowger.core.config.Reading;
import io.strowger.core.json.JacksonCodec;
import io.strowger.host.server.RunningGateway;
import io.strowger.spi.error.Problem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
    Reading reading = new ConfigReader(new JacksonCodec(), terminal.environment()).read(content);
    return reading instanceof Reading.Accepted(var config) ? checked(config) : reading;
  }

  /** What a file says of plugins is theirs to judge. */
  private static Reading checked(GatewayConfig config) throws Complaint {
    try {
      List<Problem> problems = RunningGateway.problems(config);
      return problems.isEmpty() ? new Reading.Accepted(config) : new Reading.Refused(problems);
    } catch (IllegalStateException apart) {
      throw new Complaint(String.valueOf(apart.getMessage()));
    }
  }

  /** Reads it now; every problem in the complaint. */
  GatewayConfig load() throws Complaint {
    return switch (read()) {
      case Reading.Accepted(var config) -> config;
      case Reading.Refused(var problems) -> throw Complaint.about(file.toString(), problems);
    };
  }
}
