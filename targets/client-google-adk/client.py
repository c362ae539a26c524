# google-adk's RemoteA2aAgent as a client
import asyncio, json, logging, os, sys, warnings
warnings.simplefilter('ignore')
logging.disable(logging.CRITICAL)
import httpx
from google.adk.agents.remote_a2a_agent import RemoteA2aAgent
from google.adk.runners import InMemoryRunner
from google.genai import types

async def run(http, url, errand):
    agent = RemoteA2aAgent(name='remote', agent_card=url + '/.well-known/agent-card.json', httpx_client=http, timeout=10)
    runner = InMemoryRunner(agent=agent, app_name='app')
    session = await runner.session_service.create_session(app_name='app', user_id='user')
    told = {}
    for text in errand.get('texts') or [errand['text']]:
        said, parts, error = [], [], None
        async for event in runner.run_async(user_id='user', session_id=session.id, new_message=types.Content(role='user', parts=[types.Part(text=text)])):
            if event.error_message: error = event.error_message
            texts = [p.text for p in (event.content.parts or [] if event.content else []) if p.text and not p.thought]
            (parts if event.partial else said).extend(texts)
        told = {'error': error} if error else {'text': '\n'.join(said) if said else "".join(parts)}
    return told

async def done(url, errand):
    if errand['do'] not in ('send', 'stream', 'converse') or set(errand) & {'extensions', 'trusted', 'credentials'}:
        return {'unsupported': 'all but sending messages'}, 0
    try:
        async with httpx.AsyncClient(headers=errand.get('headers'), timeout=10) as http:
            told = await run(http, url, errand)
            return told, 1 if 'error' in told else 0
    except Exception as error:
        return {'error': {'name': type(error).__name__, 'message': str(error)}}, 1

out, sys.stdout = sys.stdout, sys.stderr
for line in sys.stdin:
    one = json.loads(line)
    told, status = asyncio.run(done(one['url'], one['errand']))
    print(json.dumps({**told, 'id': one['id'], 'status': status}), flush=True, file=out)
