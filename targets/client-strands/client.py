# strands-agents as a client
import asyncio, json, os, sys
import httpx
from a2a.client import ClientConfig
from strands.agent.a2a_agent import A2AAgent

async def done(url, errand):
    if errand['do'] not in ('send', 'stream') or set(errand) & {'credentials', 'extensions', 'trusted'}:
        return {'unsupported': 'all but sending a message'}, 0
    try:
        async with httpx.AsyncClient(headers=errand.get('headers'), timeout=10) as http:
            agent = A2AAgent(url, client_config=ClientConfig(httpx_client=http))
            result = await agent.invoke_async(errand['text'])
    except Exception as error:
        return {'error': {'name': type(error).__name__, 'message': str(error)}}, 1
    text = ''.join(block.get('text', '') for block in result.message['content'])
    state = (result.state or {}).get('a2a_task_state') if isinstance(result.state, dict) else None
    return {'text': text, **({'state': state} if state else {}), 'warnings': [str(result.stop_reason)]}, 0

for line in sys.stdin:
    one = json.loads(line)
    told, status = asyncio.run(done(one['url'], one['errand']))
    print(json.dumps({**told, 'id': one['id'], 'status': status}), flush=True)
