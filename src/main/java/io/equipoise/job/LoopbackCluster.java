package io.equipoise.job;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.WebOptions;
import org.apache.flink.runtime.blob.TransientBlobService;
import org.apache.flink.runtime.dispatcher.DispatcherGateway;
import org.apache.flink.runtime.dispatcher.DispatcherRestEndpoint;
import org.apache.flink.runtime.dispatcher.SessionDispatcherFactory;
import org.apache.flink.runtime.dispatcher.runner.DefaultDispatcherRunnerFactory;
import org.apache.flink.runtime.entrypoint.component.DefaultDispatcherResourceManagerComponentFactory;
import org.apache.flink.runtime.entrypoint.component.DispatcherResourceManagerComponentFactory;
import org.apache.flink.runtime.leaderelection.LeaderElection;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.runtime.resourcemanager.ResourceManagerGateway;
import org.apache.flink.runtime.resourcemanager.StandaloneResourceManagerFactory;
import org.apache.flink.runtime.rest.HttpMethodWrapper;
import org.apache.flink.runtime.rest.RestEndpointFactory;
import org.apache.flink.runtime.rest.handler.RestHandlerConfiguration;
import org.apache.flink.runtime.rest.handler.RestHandlerSpecification;
import org.apache.flink.runtime.rest.handler.legacy.metrics.MetricFetcher;
import org.apache.flink.runtime.rpc.FatalErrorHandler;
import org.apache.flink.runtime.rpc.RpcSystem;
import org.apache.flink.runtime.webmonitor.retriever.LeaderGatewayRetriever;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelInboundHandler;
import org.apache.flink.util.FileUtils;
import org.apache.flink.util.Reference;
import org.jspecify.annotations.Nullable;

/**
 * Runs a Flink cluster inside this JVM with a read-only REST interface: it rejects jobs, savepoint
 * requests and cancellations. Other users of the machine can reach loopback, and Flink has no
 * access control. The process itself submits, cancels and stops without REST.
 */
@SuppressWarnings("try") // Flink's close() may be interrupted
public final class LoopbackCluster extends MiniCluster {
  /** Creates a cluster; {@link LoopbackFlink#settings} provides its configuration. */
  public LoopbackCluster(MiniClusterConfiguration configuration) {
    super(configuration, () -> Reference.borrowed(rpc(configuration.getConfiguration())));
  }

  private static @Nullable RpcSystem rpc;

  /**
   * Returns the RPC system of all clusters of this JVM. Flink copies its jar to a file and loads
   * its classes by a loader of their own, for each cluster: seconds of processor time.
   */
  private static synchronized RpcSystem rpc(Configuration configuration) {
    RpcSystem loaded = rpc;
    if (loaded == null) {
      loaded = RpcSystem.load(configuration);
      var builder = loaded.localServiceBuilder(configuration).getClass();
      // After all shutdown hooks, which may stop a job; closing the system would end its classes.
      new File(builder.getProtectionDomain().getCodeSource().getLocation().getPath())
          .deleteOnExit();
      rpc = loaded;
    }
    return loaded;
  }

  @Override
  protected DispatcherResourceManagerComponentFactory
      createDispatcherResourceManagerComponentFactory() {
    RestEndpointFactory<DispatcherGateway> rest =
        (configuration, dispatcher, resourceManager, blobs, executor, metrics, election, errors) ->
            new ReadOnlyRest(
                ReadOnlyRest.filesApart(configuration),
                dispatcher,
                resourceManager,
                blobs,
                executor,
                metrics,
                election,
                errors);
    return new DefaultDispatcherResourceManagerComponentFactory(
        DefaultDispatcherRunnerFactory.createSessionRunner(SessionDispatcherFactory.INSTANCE),
        StandaloneResourceManagerFactory.getInstance(),
        rest);
  }

  private static final class ReadOnlyRest extends DispatcherRestEndpoint {
    /**
     * Accessible to this user only; Flink's default is one directory with a fixed name for all
     * users.
     */
    private final Path files;

    ReadOnlyRest(
        Tuple2<Configuration, Path> apart,
        LeaderGatewayRetriever<DispatcherGateway> dispatcher,
        LeaderGatewayRetriever<ResourceManagerGateway> resourceManager,
        TransientBlobService blobs,
        ScheduledExecutorService executor,
        MetricFetcher metrics,
        LeaderElection election,
        FatalErrorHandler errors)
        throws Exception {
      super(
          dispatcher,
          apart.f0,
          RestHandlerConfiguration.fromConfiguration(apart.f0),
          resourceManager,
          blobs,
          executor,
          metrics,
          election,
          RestEndpointFactory.createExecutionGraphCache(
              RestHandlerConfiguration.fromConfiguration(apart.f0)),
          errors);
      files = apart.f1;
    }

    private static Tuple2<Configuration, Path> filesApart(Configuration configuration)
        throws IOException {
      Path files = Files.createTempDirectory("equipoise-web-");
      Configuration apart = new Configuration(configuration);
      apart.set(WebOptions.TMP_DIR, files.toString());
      apart.set(WebOptions.UPLOAD_DIR, files.toString());
      return Tuple2.of(apart, files);
    }

    @Override
    protected List<Tuple2<RestHandlerSpecification, ChannelInboundHandler>> initializeHandlers(
        CompletableFuture<String> address) {
      var handlers = super.initializeHandlers(address);
      handlers.removeIf(it -> !isRead(it.f0));
      return handlers;
    }

    /** Flink offers a second way to cancel a job, for YARN, as a GET request. */
    private static boolean isRead(RestHandlerSpecification handler) {
      return handler.getHttpMethod() == HttpMethodWrapper.GET
          && !handler.getTargetRestEndpointURL().contains("/yarn-");
    }

    @Override
    protected CompletableFuture<Void> shutDownInternal() {
      return super.shutDownInternal()
          .whenComplete((done, failure) -> FileUtils.deleteDirectoryQuietly(files.toFile()));
    }
  }
}
