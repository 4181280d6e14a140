package io.strowger.benchmarks.ladder;

import io.strowger.benchmarks.http.ChildProcess;
import io.strowger.benchmarks.http.Contender;
import io.strowger.benchmarks.http.JvmCounters;
import io.strowger.benchmarks.http.ProcessUsage;
import io.strowger.benchmarks.http.Samples;
import io.strowger.benchmarks.http.Scenario;
import io.strowger.benchmarks.http.Session;
import java.io.IOException;
import java.time.Duration;

/**
 * Controls a {@link RungProcess} from the parent process. For one thread.
 *
 * @param name the name in the table
 * @param child the process
 * @param counters the counters of the process
 */
record RungContender(String name, ChildProcess child, JvmCounters counters) implements Contender {
  @Override
  public ProcessUsage usage() {
    return counters.usage();
  }

  @Override
  public Session open(Scenario scenario) throws IOException {
    ask("open " + scenario.id());
    return new RemoteSession();
  }

  private String ask(String line) throws IOException {
    String answer = child.ask(line);
    if (answer.startsWith(RungProcess.FAILED)) {
      throw new IOException(name + " answered \"" + line + "\" with " + answer);
    }
    return answer;
  }

  private final class RemoteSession implements Session {
    @Override
    public Samples sendSequentially(int requests) throws IOException {
      return RungProcess.samples(ask("serial " + requests));
    }

    @Override
    public int load(int callers, Duration time) throws IOException {
      return Integer.parseInt(ask("load " + callers + " " + time.toMillis()));
    }

    @Override
    public void close() {
      // the process waits for the next scenario
    }
  }
}
