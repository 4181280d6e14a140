package io.strowger.servlet;

import jakarta.servlet.Servlet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Wrapper;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.buf.EncodedSolidusHandling;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.http2.server.HTTP2CServerConnectionFactory;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Servlet containers, embedded, on a free port of loopback. */
enum Container {
  TOMCAT {
    @Override
    Running start(Settings settings, Servlet servlet) {
      Logs.silenceConsole();
      return new RunningTomcat(settings, servlet);
    }
  },
  JETTY {
    @Override
    Running start(Settings settings, Servlet servlet) {
      Logs.silenceConsole();
      return new RunningJetty(settings, servlet);
    }
  };

  /** The context path of the application. */
  static final String CONTEXT = "/app";

  /** The root of the API. */
  static final String ROOT = CONTEXT + "/api/v1";

  /** Starts a container with the servlet mapped to {@code /api/v1/*}, or as the settings say. */
  abstract Running start(Settings settings, Servlet servlet);

  /** The settings of a container. */
  static final class Settings {
    private String mapping = "/api/v1/*";
    private boolean async = true;
    private int threads = 16;
    private Duration idle = Duration.ofSeconds(20);
    private Duration stop = Duration.ofSeconds(20);
    private Duration idleWhileStopping = Duration.ofMillis(50);
    private boolean escapedSlashes;

    Settings mappedTo(String path) {
      mapping = path;
      return this;
    }

    /** Registers the servlet without support of asynchronous requests. */
    Settings synchronous() {
      async = false;
      return this;
    }

    /** Sets the maximum number of threads for requests. */
    Settings threads(int max) {
      threads = max;
      return this;
    }

    /** Sets how long a client may be silent. */
    Settings idle(Duration time) {
      idle = time;
      return this;
    }

    /** Sets how long the container itself waits for requests before it closes connections. */
    Settings stop(Duration time) {
      stop = time;
      return this;
    }

    /**
     * Sets how long a connection may be silent while Jetty stops. Jetty may fail a write that
     * begins just when this time ends, so it must be longer than the pauses of an answer.
     */
    Settings idleWhileStopping(Duration time) {
      idleWhileStopping = time;
      return this;
    }

    /** Allows escaped slashes in paths. */
    Settings escapedSlashes() {
      escapedSlashes = true;
      return this;
    }
  }

  /** A container that was started. */
  interface Running extends AutoCloseable {
    int port();

    /** Runs an action when the container begins to stop. */
    void onStop(Runnable action);

    /** Stops the container gracefully. May be called again. */
    @Override
    void close();
  }

  private static final class RunningTomcat implements Running {
    private final Tomcat tomcat = new Tomcat();
    private final Path directory;

    RunningTomcat(Settings settings, Servlet servlet) {
      try {
        directory = Files.createTempDirectory("strowger-tomcat");
        tomcat.setBaseDir(directory.toString());
        tomcat.setConnector(connector(settings));
        var context = (StandardContext) tomcat.addContext(CONTEXT, null);
        Wrapper wrapper = Tomcat.addServlet(context, "gateway", servlet);
        wrapper.setAsyncSupported(settings.async);
        wrapper.setLoadOnStartup(1);
        context.setUnloadDelay(50);
        context.addServletMapping(settings.mapping, "gateway");
        context.setFailCtxIfServletStartFails(true);
        tomcat.start();
        if (context.getState() != LifecycleState.STARTED) {
          throw new IllegalStateException("the application did not start");
        }
      } catch (IOException | LifecycleException | RuntimeException e) {
        close();
        throw new IllegalStateException("Tomcat did not start", e);
      }
    }

    private static Connector connector(Settings settings) {
      var connector = new Connector();
      connector.setPort(0);
      connector.setProperty("address", "127.0.0.1");
      connector.setProperty("maxThreads", Integer.toString(settings.threads));
      connector.setProperty("minSpareThreads", "1");
      connector.setProperty("acceptCount", "500");
      connector.setProperty("connectionTimeout", Long.toString(settings.idle.toMillis()));
      if (settings.escapedSlashes) {
        connector.setEncodedSolidusHandling(EncodedSolidusHandling.PASS_THROUGH.getValue());
      }
      connector.addUpgradeProtocol(new Http2Protocol());
      return connector;
    }

    @Override
    public void onStop(Runnable action) {
      tomcat
          .getHost()
          .addLifecycleListener(
              event -> {
                if (event.getType().equals(Lifecycle.BEFORE_STOP_EVENT)) {
                  action.run();
                }
              });
    }

    @Override
    public int port() {
      return tomcat.getConnector().getLocalPort();
    }

    @Override
    public void close() {
      try {
        if (tomcat.getServer().getState() != LifecycleState.DESTROYED) {
          tomcat.stop();
          tomcat.destroy();
        }
        if (Files.exists(directory)) {
          try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
          }
        }
      } catch (LifecycleException | IOException e) {
        throw new IllegalStateException("Tomcat did not stop", e);
      }
    }
  }

  private static final class RunningJetty implements Running {
    /** The number of threads that the connector itself uses. */
    private static final int OWN_THREADS = 2;

    private final Server server;
    private final ServerConnector connector;

    RunningJetty(Settings settings, Servlet servlet) {
      var pool = new QueuedThreadPool(settings.threads + OWN_THREADS, 1 + OWN_THREADS);
      pool.setReservedThreads(0);
      server = new Server(pool);
      var http = new HttpConfiguration();
      if (settings.escapedSlashes) {
        http.setUriCompliance(
            UriCompliance.DEFAULT.with(
                "escaped-slashes", UriCompliance.Violation.AMBIGUOUS_PATH_SEPARATOR));
      }
      connector =
          new ServerConnector(
              server,
              1,
              1,
              new HttpConnectionFactory(http),
              new HTTP2CServerConnectionFactory(http));
      connector.setHost("127.0.0.1");
      connector.setIdleTimeout(settings.idle.toMillis());
      connector.setShutdownIdleTimeout(settings.idleWhileStopping.toMillis());
      connector.setAcceptQueueSize(500);
      server.addConnector(connector);
      var context = new ServletContextHandler(CONTEXT);
      var holder = new ServletHolder("gateway", servlet);
      holder.setAsyncSupported(settings.async);
      holder.setInitOrder(1);
      context.addServlet(holder, settings.mapping);
      context.getServletHandler().setDecodeAmbiguousURIs(settings.escapedSlashes);
      server.setHandler(new GracefulHandler(context));
      server.setStopTimeout(settings.stop.toMillis());
      try {
        server.start();
      } catch (Exception e) {
        close();
        throw new IllegalStateException("Jetty did not start", e);
      }
    }

    @Override
    public void onStop(Runnable action) {
      server.addEventListener(
          new LifeCycle.Listener() {
            @Override
            public void lifeCycleStopping(LifeCycle event) {
              action.run();
            }
          });
    }

    @Override
    public int port() {
      return connector.getLocalPort();
    }

    @Override
    public void close() {
      try {
        server.stop();
      } catch (TimeoutException late) {
        // Jetty has stopped, although requests were still running
      } catch (Exception e) {
        throw new IllegalStateException("Jetty did not stop", e);
      }
    }
  }
}
